# Reads CTest's LastTest.log files and prints `N passed, N failed`, counting the cases of GoogleTest and of lit.
/^[0-9]+\/[0-9]+ Test: / { passed = failed = 0 }
/^\[  PASSED  \] [0-9]+ test/ { passed = $4 }
/^\[  FAILED  \] [0-9]+ test/ { failed = $4 }
/^ *(Passed|Expectedly Failed) *: +[0-9]+/ { sub(/^[^:]*: */, ""); passed += $1 }
/^ *(Failed|Unresolved|Timed Out|Unexpectedly Passed) *: +[0-9]+/ { sub(/^[^:]*: */, ""); failed += $1 }
/^Test Passed\.$/ { totalPassed += passed ? passed : 1 }
/^Test Failed\.$/ { totalPassed += passed; totalFailed += failed ? failed : 1 }
END { printf "\n%d passed, %d failed\n", totalPassed, totalFailed }
