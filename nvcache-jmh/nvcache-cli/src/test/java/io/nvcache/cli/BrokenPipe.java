// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import java.io.IOException;
import java.io.Writer;

/** A standard output whose reader takes some lines and ends. */
public final class BrokenPipe extends Writer {
  private int left;

  /** Takes so many lines. */
  public BrokenPipe(int lines) {
    left = lines;
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    if (left <= 0) {
      throw new IOException("Broken pipe");
    }
    for (int i = 0; i < length; i++) {
      left -= text[offset + i] == '\n' ? 1 : 0;
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
