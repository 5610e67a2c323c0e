// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

/** Tells where a thread is. */
public final class Whereabouts {
  private Whereabouts() {}

  /** Returns the method that the thread runs, or that it has ended. */
  public static String innermost(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length == 0 ? "no method: it has ended" : line(stack[0]);
  }

  /** Returns the method and the line that a frame is of, without its class loader and module. */
  public static String line(StackTraceElement frame) {
    return frame.getClassName()
        + '.'
        + frame.getMethodName()
        + '('
        + frame.getFileName()
        + ':'
        + frame.getLineNumber()
        + ')';
  }
}
