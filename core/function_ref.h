// A reference to something callable: two words, no ownership. The callable must outlive the reference.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace tessera {

template <class Signature> class FunctionRef;

template <class Result, class... Args> class FunctionRef<Result(Args...)> {
public:
  template <class Callable>
    requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
             std::is_object_v<std::remove_reference_t<Callable>> && std::is_invocable_r_v<Result, Callable &, Args...>)
  FunctionRef(Callable &&callable)
      : target(const_cast<void *>(static_cast<const void *>(std::addressof(callable)))),
        invoke([](void *target, Args... args) -> Result {
          return (*static_cast<std::remove_reference_t<Callable> *>(target))(std::forward<Args>(args)...);
        }) {}

  Result operator()(Args... args) const { return invoke(target, std::forward<Args>(args)...); }

private:
  void *target;
  Result (*invoke)(void *, Args...);
};

} // namespace tessera
