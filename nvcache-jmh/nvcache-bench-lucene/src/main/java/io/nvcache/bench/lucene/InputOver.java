// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import java.io.IOException;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** A whole file that another input reads, behind Lucene's buffer; slices are Lucene's own. */
abstract class InputOver extends BufferedIndexInput {
  private IndexInput in;
  private boolean root = true;

  InputOver(String description, IndexInput in, IOContext context) {
    super(description, context);
    this.in = in;
  }

  /** Returns the other input, which only this one reads. */
  final IndexInput in() {
    return in;
  }

  @Override
  protected final void seekInternal(long position) {}

  @Override
  public final long length() {
    return in.length();
  }

  @Override
  public final InputOver clone() {
    InputOver clone = (InputOver) super.clone();
    clone.in = in.clone();
    clone.root = false;
    return clone;
  }

  @Override
  public final void close() throws IOException {
    if (root) {
      in.close();
    }
  }
}
