// Expecting a tessera::Error by its text.
#pragma once

#include "core/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

/// Passes if `statement` throws an Error whose text contains `text`.
#define EXPECT_ERROR(statement, text)                                                                                  \
  try {                                                                                                                \
    statement;                                                                                                         \
    ADD_FAILURE() << "no error from " #statement;                                                                      \
  } catch (const tessera::Error &error) {                                                                              \
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr(text));                                                  \
  }
