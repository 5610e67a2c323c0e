// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What is logged meanwhile; the tests' logger writes to {@code System.err}. */
public final class CapturedLog {
  /** Something that may throw. */
  public interface Action {
    void run() throws Exception;
  }

  private CapturedLog() {}

  public static String of(Action action) throws Exception {
    PrintStream err = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(err);
    }
    return log.toString(StandardCharsets.UTF_8);
  }
}
