// Attention forward without the matrix of scores in memory: for a block of queries, blocks of keys and values stream by
// under a running maximum and sum. Sequences of any lengths lie behind one another (their starts are in startQ,
// startK); several query heads may share a key head; with `causal` query i sees keys up to i + (keys - queries).
#include "examples/attention_reference.h"
#include "tilelang/dsl/tl.h"

namespace tessera::examples {
using namespace tl;

Program flashAttentionProgram(const AttentionForm &form, int64_t bm, int64_t bn) {
  const DType in = form.type;
  const int64_t d = form.headDim, group = form.heads / form.keyHeads;
  ProgramBuilder p(form.name);
  Dim tq = p.dim("tokensQ"), tk = p.dim("tokensK"), starts = p.dim("starts");
  Buffer Q = p.input("Q", in, {tq, form.heads, d}), K = p.input("K", in, {tk, form.keyHeads, d});
  Buffer V = p.input("V", in, {tk, form.keyHeads, d}), O = p.output("O", in, {tq, form.heads, d});
  Buffer startQ = p.input("startQ", i32, {starts}), startK = p.input("startK", i32, {starts});
  Expr longest = p.scalar("longestQ", i32);
  p.kernel({ceildiv(longest, bm), form.heads, starts - 1}, [&](Var bx, Var head, Var b) {
    Expr firstQ = startQ(b), firstK = startK(b), queries = startQ(b + 1) - firstQ, keys = startK(b + 1) - firstK;
    Expr row0 = bx * bm, rows = min(queries - row0, bm);
    If(rows > 0, [&] {
      Buffer Qs = allocShared({bm, d}, in, "Qs"), Ks = allocShared({bn, d}, in, "Ks"),
             Vs = allocShared({bn, d}, in, "Vs");
      Buffer S = allocFragment({bm, bn}, f32, "S"), P = allocShared({bm, bn}, in, "P"),
             acc = allocFragment({bm, d}, f32, "acc");
      Buffer top = allocFragment({bm}, f32, "top"), sum = allocFragment({bm}, f32, "sum");
      Buffer newTop = allocFragment({bm}, f32, "new top"), part = allocFragment({bm}, f32, "part");
      copy(Q(window(firstQ + row0, bm), head, all), Qs);
      clear(acc), clear(sum), fill(top, -infinity(f32));
      Expr seen = form.causal ? clamp(keys - queries + row0 + bm, 0, keys) : keys;
      for (Var k : Pipelined(ceildiv(seen, bn), {.stages = 2})) {
        copy(K(window(firstK + k * bn, bn), head / group, all), Ks);
        gemm(Qs, Ks, S, {.transposeB = true, .clear = true});
        for (auto [i, j] : Parallel(bm, bn)) {
          Expr key = k * bn + j, visible = form.causal ? key <= row0 + i + (keys - queries) && key < keys : key < keys;
          S(i, j) = select(visible, S(i, j) * (form.scale() * kLog2e), -infinity(f32));
        }
        copy(top, newTop);
        reduceMax(S, newTop, {.clear = false});
        for (auto [i, j] : Parallel(bm, bn)) { // a row that sees nothing yet has a top of -inf: exp2(-inf - 0) is 0
          S(i, j) = exp2(S(i, j) - select(newTop(i) == -infinity(f32), 0, newTop(i)));
        }
        reduceSum(S, part);
        for (Var i : Parallel(bm)) {
          top(i) = select(newTop(i) == -infinity(f32), 1, exp2(top(i) - newTop(i))); // what older sums shrink by
          sum(i) = sum(i) * top(i) + part(i);
        }
        for (auto [i, j] : Parallel(bm, d)) acc(i, j) *= top(i);
        copy(newTop, top);
        copy(S, P);
        copy(V(window(firstK + k * bn, bn), head / group, all), Vs);
        Expr valid = min(keys - k * bn, bn);
        fill(Vs(window(valid, bn - valid), all), 0); // the next sequence's values, which may be anything
        gemm(P, Vs, acc);
      }
      for (auto [i, j] : Parallel(bm, d)) acc(i, j) = select(sum(i) > 0, acc(i, j) / sum(i), 0);
      copy(acc(window(0, rows), all), O(window(firstQ + row0, rows), head, all));
    });
  });
  return p.build();
}

Example flashAttention(const AttentionForm &form) {
  return attentionExample(form, 64, 128, [=](Choice c) { return flashAttentionProgram(form, c[0], c[1]); });
}

std::vector<Example> flashAttentions() {
  std::vector<Example> list;
  for (const AttentionForm &form :
       {AttentionForm{"flash_attention", "every key, bf16", bf16, 4, 4, 64, false, false},
        AttentionForm{"flash_attention_causal", "causal, bf16", bf16, 4, 4, 128, true, false},
        AttentionForm{"flash_attention_gqa", "causal, two heads share keys, f16", f16, 4, 2, 64, true, false},
        AttentionForm{"flash_attention_ragged", "causal, lengths differ, bf16", bf16, 4, 2, 64, true, true}})
    list.push_back(flashAttention(form));
  return list;
}

} // namespace tessera::examples
