// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
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

  private final class WarmInput extends InputOver {
    private final String name;

    WarmInput(String name, IndexInput in, IOContext context) {
      super("Warm(" + name + ")", in, context);
      this.name = name;
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
        parts.copy(name, in(), position, dst, count);
        position += count;
      }
    }
  }
}
