// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import io.nvcache.llpl.PmemLibraries;

/** Whether tests of PMDK can run here, or have to, and then fail where it is not installed. */
public final class Pmdk {
  private Pmdk() {}

  /** Returns whether they run; named by the tests' condition. */
  public static boolean isRun() {
    return PmemLibraries.problem() == null || "1".equals(System.getenv("NVCACHE_REQUIRE_LLPL"));
  }
}
