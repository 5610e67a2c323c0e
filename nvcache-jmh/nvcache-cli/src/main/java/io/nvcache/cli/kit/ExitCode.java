// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

/** Exit codes of the program. 0 is success. */
public final class ExitCode {
  /** The command failed, or found what must not be. */
  public static final int FAILED = 1;

  /** The command line can't be understood. */
  public static final int BAD_USAGE = 2;

  /** The command was interrupted, as shells number SIGINT. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
