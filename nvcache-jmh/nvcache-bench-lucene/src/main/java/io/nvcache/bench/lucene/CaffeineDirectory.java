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
 * The peer: copies from {@link CaffeineBlocks} into Lucene's buffer. Files that are opened for a
 * merge are read past it, as in Solr.
 */
final class CaffeineDirectory extends FilterDirectory {
  private final CaffeineBlocks blocks;
  private final String prefix;

  /**
   * Stands before a directory.
   *
   * @param prefix distinguishes its files from those of other directories over the same blocks
   */
  CaffeineDirectory(Directory in, CaffeineBlocks blocks, String prefix) {
    super(in);
    this.blocks = blocks;
    this.prefix = prefix;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = super.openInput(name, context);
    return context.context() == IOContext.Context.MERGE
        ? input
        : new CaffeineInput(prefix + name, input, context);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    blocks.forget(prefix + name);
    super.deleteFile(name);
  }

  private final class CaffeineInput extends BufferedIndexInput {
    private final String name;
    private final long start;
    private final long length;
    private IndexInput in;
    private boolean root;
    private long lastBlock = -1;

    CaffeineInput(String name, IndexInput in, IOContext context) {
      super("Caffeine(" + name + ")", context);
      this.name = name;
      this.in = in;
      this.start = 0;
      this.length = in.length();
      this.root = true;
    }

    private CaffeineInput(String description, CaffeineInput whole, long start, long length) {
      super(description, whole.getBufferSize());
      this.name = whole.name;
      this.in = whole.in.clone();
      this.start = start;
      this.length = length;
    }

    @Override
    protected void readInternal(ByteBuffer dst) throws IOException {
      long position = start + getFilePointer();
      if (getFilePointer() + dst.remaining() > length) {
        throw new EOFException("read past EOF: " + this);
      }
      while (dst.hasRemaining()) {
        int from = (int) (position % CaffeineBlocks.BLOCK_BYTES);
        int count = Math.min(dst.remaining(), CaffeineBlocks.BLOCK_BYTES - from);
        copy(position - from, from, count, dst);
        position += count;
      }
    }

    private void copy(long offset, int from, int count, ByteBuffer dst) throws IOException {
      boolean another = offset != lastBlock; // Lookups are counted as the product does.
      lastBlock = offset;
      if (!blocks.copy(name, offset, from, count, dst, another)) {
        byte[] read = new byte[(int) Math.min(CaffeineBlocks.BLOCK_BYTES, in.length() - offset)];
        in.seek(offset);
        in.readBytes(read, 0, read.length, false);
        blocks.keep(name, offset, read);
        dst.put(dst.position(), read, from, count);
      }
      dst.position(dst.position() + count);
    }

    @Override
    protected void seekInternal(long position) {}

    @Override
    public long length() {
      return length;
    }

    @Override
    public CaffeineInput clone() {
      CaffeineInput clone = (CaffeineInput) super.clone();
      clone.in = in.clone();
      clone.root = false;
      clone.lastBlock = -1;
      return clone;
    }

    @Override
    public IndexInput slice(String description, long offset, long sliceLength) {
      if ((offset | sliceLength) < 0 || sliceLength > length - offset) {
        throw new IllegalArgumentException("slice out of bounds: " + this);
      }
      return new CaffeineInput(
          getFullSliceDescription(description), this, start + offset, sliceLength);
    }

    @Override
    public void close() throws IOException {
      if (root) {
        in.close();
      }
    }
  }
}
