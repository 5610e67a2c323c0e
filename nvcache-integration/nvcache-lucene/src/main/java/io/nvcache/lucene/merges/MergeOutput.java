// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.merges;

import io.nvcache.lucene.files.CachedFile;
import io.nvcache.lucene.files.FileClasses;
import io.nvcache.lucene.files.HotBlocks;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;

/**
 * A file that a merge writes, and which of its blocks searches will want: those that it writes
 * while most of what it reads of files of the same class is cached. A merge reads its inputs in the
 * order in which it writes, so what it read last is what it writes next.
 *
 * <p>For one thread, as any output.
 */
final class MergeOutput extends FilterIndexOutput {
  private final String fileClass;
  private final int blockBytes;
  private final MergeOutputs open;
  private final List<MergeOutput> owner;
  private final Consumer<HotBlocks> onClose;
  private final BitSet hotBlocks = new BitSet();
  private final Set<CachedFile> inputs = new HashSet<>();
  private long written;
  private long blockEnd;
  private long readBytes;
  private long hotBytes;

  /** What the last block was, for those that are written without a read between. */
  private boolean hot;

  private boolean closed;

  /**
   * Stands before an output that the calling thread is to write.
   *
   * @param onClose gets the hot blocks, if there are any, as soon as the file is complete
   */
  MergeOutput(IndexOutput out, int blockBytes, MergeOutputs open, Consumer<HotBlocks> onClose) {
    super("NvCache(" + out + ")", out.getName(), out);
    this.fileClass = FileClasses.nameOf(out.getName());
    this.blockBytes = blockBytes;
    this.blockEnd = blockBytes;
    this.onClose = onClose;
    this.open = open;
    this.owner = open.add(this);
  }

  /** Returns whether a merge has nothing left to read or write once this is closed. */
  boolean isLastOfSegment() {
    return fileClass.equals(FileClasses.SEGMENT_INFO);
  }

  void noteRead(String readClass, int bytes, Set<CachedFile> hotOf) {
    if (readClass.equals(fileClass)
        || readClass.equals(FileClasses.COMPOUND) // Where all of a segment is, or all goes to.
        || fileClass.equals(FileClasses.COMPOUND)) {
      readBytes += bytes;
      if (!hotOf.isEmpty()) {
        hotBytes += bytes;
        inputs.addAll(hotOf);
      }
    }
  }

  private void wrote(long bytes) {
    written += bytes;
    while (written >= blockEnd) {
      endBlock();
    }
  }

  private void endBlock() {
    if (readBytes > 0) {
      hot = 2 * hotBytes >= readBytes;
      readBytes = 0;
      hotBytes = 0;
    }
    if (hot) {
      hotBlocks.set((int) ((blockEnd - 1) / blockBytes));
    }
    blockEnd += blockBytes;
  }

  @Override
  public void writeByte(byte b) throws IOException {
    out.writeByte(b);
    wrote(1);
  }

  @Override
  public void writeBytes(byte[] b, int offset, int length) throws IOException {
    out.writeBytes(b, offset, length);
    wrote(length);
  }

  @Override
  public void writeShort(short s) throws IOException {
    out.writeShort(s);
    wrote(Short.BYTES);
  }

  @Override
  public void writeInt(int i) throws IOException {
    out.writeInt(i);
    wrote(Integer.BYTES);
  }

  @Override
  public void writeLong(long l) throws IOException {
    out.writeLong(l);
    wrote(Long.BYTES);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    open.remove(this, owner);
    super.close();
    if (written > blockEnd - blockBytes) {
      endBlock();
    }
    if (!hotBlocks.isEmpty()) {
      onClose.accept(new HotBlocks(hotBlocks, inputs));
    }
  }
}
