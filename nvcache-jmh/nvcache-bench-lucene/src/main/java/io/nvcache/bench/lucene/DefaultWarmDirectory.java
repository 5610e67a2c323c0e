// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A peer: reads by {@link DefaultWarmParts}, as OpenSearch's own directory of warm indices does.
 */
final class DefaultWarmDirectory extends FilterDirectory {
  private final DefaultWarmParts parts;

  DefaultWarmDirectory(Directory in, DefaultWarmParts parts) {
    super(in);
    this.parts = parts;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new WarmInput(name, super.openInput(name, context), context);
  }

  private final class WarmInput extends BufferedIndexInput {
    private final String name;
    private IndexInput in;
    private boolean root = true;

    WarmInput(String name, IndexInput in, IOContext context) {
      super("Warm(" + name + ")", context);
      this.name = name;
      this.in = in;
    }

    @Override
    protected void readInternal(ByteBuffer dst) throws IOException {
      long position = getFilePointer();
      if (position + dst.remaining() > length()) {
        throw new EOFException("read past EOF: " + this);
      }
      while (dst.hasRemaining()) {
        long inPart = position % DefaultWarmParts.PART_BYTES;
        int count = (int) Math.min(dst.remaining(), DefaultWarmParts.PART_BYTES - inPart);
        parts.copy(name, in, position, dst, count);
        position += count;
      }
    }

    @Override
    protected void seekInternal(long position) {}

    @Override
    public long length() {
      return in.length();
    }

    @Override
    public WarmInput clone() {
      WarmInput clone = (WarmInput) super.clone();
      clone.in = in.clone();
      clone.root = false;
      return clone;
    }

    @Override
    public void close() throws IOException {
      if (root) {
        in.close();
      }
    }
  }
}
