// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import io.nvcache.memory.RawMemory;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** A check whether LLPL and the native libraries of PMDK can be loaded into this JVM. */
public final class PmemLibraries {
  /**
   * Found once: when loading fails, LLPL says why only the first time, and {@code
   * NoClassDefFoundError} ever after.
   */
  private static final @Nullable String PROBLEM = load();

  private PmemLibraries() {}

  /** Returns why LLPL can't be used here and what to do about it, in one line; null if it can. */
  public static @Nullable String problem() {
    return PROBLEM;
  }

  static void require() throws LlplUnavailableException {
    if (PROBLEM != null) {
      throw new LlplUnavailableException(PROBLEM);
    }
  }

  private static @Nullable String load() {
    String system = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
    if (!system.equals("Linux on amd64")) {
      return "LLPL has native code for Linux on amd64 only, and this is "
          + system
          + "; use a mapped file or native memory";
    }
    try {
      RawMemory.pageBytes(); // The JVM may withhold from both what it withholds from one.
      HeapAccess.minimumHeapBytes();
      return null;
    } catch (LinkageError e) {
      LoggerFactory.getLogger(PmemLibraries.class).debug("can't load LLPL", e);
      return explain(e.getCause() == null ? e : e.getCause());
    }
  }

  static String explain(Throwable reason) {
    boolean withheld =
        reason instanceof IllegalCallerException || reason instanceof UnsupportedOperationException;
    return "can't load LLPL ("
        + reason
        + "); "
        + (withheld
            ? "start the JVM with --enable-native-access=ALL-UNNAMED"
                + " --sun-misc-unsafe-memory-access=allow"
            : "install PMDK's libpmemobj.so.1, libpmem.so.1 and libpmempool.so.1 (Debian, Ubuntu:"
                + " libpmemobj1 libpmem1 libpmempool1), or let LD_LIBRARY_PATH name their"
                + " directory");
  }
}
