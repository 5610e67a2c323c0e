// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdentity;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Files that their delegate describes, as those of a store where each read is a request. */
final class DescribedInputTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int CAPACITY_BYTES = 4 << 20;
  private static final int FILE_BLOCKS = 40;
  private static final int FOOTER_BYTES = 16;
  private static final String NAME = "_0.doc";

  private final BlockCache blocks = TestCaches.blocks(BLOCK_BYTES, CAPACITY_BYTES).build();
  private final LuceneCache cache = LuceneCache.builder(blocks).blockBytes(BLOCK_BYTES).build();
  private final Objects objects = new Objects();
  private final NvCacheDirectory directory = new NvCacheDirectory(objects, cache);

  @AfterEach
  void close() throws IOException {
    directory.close();
    TestCaches.close(cache);
  }

  /** Describes its files, and counts what is read of them. */
  private static final class Objects extends FilterDirectory {
    private final Map<String, byte[]> bytes = new HashMap<>();
    private int requests;

    Objects() {
      super(new ByteBuffersDirectory());
    }

    /** Puts an object in place behind the back of who reads it. */
    void put(String name, byte[] content) throws IOException {
      if (bytes.put(name, content) != null) {
        in.deleteFile(name);
      }
      try (IndexOutput out = in.createOutput(name, IOContext.DEFAULT)) {
        out.writeBytes(content, content.length);
      }
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      byte[] all = bytes.get(name);
      return new Described(
          super.openInput(name, context),
          Arrays.copyOfRange(all, all.length - FOOTER_BYTES, all.length));
    }

    private final class Described extends FilterIndexInput implements DescribedInput {
      private final byte[] footer;

      Described(IndexInput in, byte[] footer) {
        super("Described", in);
        this.footer = footer;
      }

      @Override
      public void readBytes(byte[] dst, int offset, int length) throws IOException {
        requests++;
        super.readBytes(dst, offset, length);
      }

      @Override
      public byte readByte() throws IOException {
        requests++;
        return super.readByte();
      }

      @Override
      public IndexInput clone() {
        return new Described(in.clone(), footer);
      }

      @Override
      public byte[] footer() {
        return footer;
      }

      @Override
      public @Nullable FileIdentity identity() {
        return null;
      }
    }
  }

  private static byte[] content(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] read(IndexInput input, long from, int length) throws IOException {
    byte[] bytes = new byte[length];
    input.seek(from);
    input.readBytes(bytes, 0, length);
    return bytes;
  }

  @Test
  void shouldOpenWithoutARead() throws IOException {
    objects.put(NAME, content(1, FILE_BLOCKS * BLOCK_BYTES));
    try (IndexInput input = directory.openInput(NAME, IOContext.DEFAULT)) {
      assertThat(input.length()).isEqualTo(FILE_BLOCKS * BLOCK_BYTES);
      assertThat(objects.requests).isZero();
    }
  }

  @Test
  void shouldTakeAnotherFooterForAnotherFile() throws IOException {
    byte[] first = content(1, BLOCK_BYTES);
    byte[] second = first.clone();
    second[0]++;
    second[BLOCK_BYTES - 1]++;
    objects.put(NAME, first);
    try (IndexInput input = directory.openInput(NAME, IOContext.DEFAULT)) {
      assertThat(read(input, 0, BLOCK_BYTES)).isEqualTo(first);
    }
    int requests = objects.requests;
    try (IndexInput input = directory.openInput(NAME, IOContext.DEFAULT)) {
      assertThat(read(input, 0, BLOCK_BYTES)).isEqualTo(first);
      assertThat(objects.requests).as("requests for what is cached").isEqualTo(requests);
    }

    objects.put(NAME, second);

    try (IndexInput input = directory.openInput(NAME, IOContext.DEFAULT)) {
      assertThat(read(input, 0, BLOCK_BYTES)).isEqualTo(second);
    }
  }

  @Test
  void shouldKeepHeaderAndFooterWhileOthersFloodTheCache() throws IOException {
    int length = FILE_BLOCKS * BLOCK_BYTES + FOOTER_BYTES / 2; // The footer is in two blocks.
    byte[] bytes = content(1, length);
    objects.put(NAME, bytes);
    objects.put("_0.fdt", content(2, 4 * CAPACITY_BYTES));
    try (IndexInput input = directory.openInput(NAME, IOContext.DEFAULT);
        IndexInput flood = directory.openInput("_0.fdt", IOContext.DEFAULT)) {
      read(input, 0, length);
      read(flood, 0, 4 * CAPACITY_BYTES);
      read(flood, 0, 4 * CAPACITY_BYTES);
      assertThat(blocks.stats().evictions()).isPositive();
      assertThat(blocks.stats().importantBytes()).isBetween(4L * BLOCK_BYTES, 6L * BLOCK_BYTES);

      int requests = objects.requests;
      assertThat(read(input, 0, 100)).isEqualTo(Arrays.copyOf(bytes, 100));
      assertThat(read(input, length - FOOTER_BYTES, FOOTER_BYTES))
          .isEqualTo(Arrays.copyOfRange(bytes, length - FOOTER_BYTES, length));
      assertThat(objects.requests).isEqualTo(requests);
      read(input, 0, length);
      assertThat(objects.requests).isGreaterThan(requests);
    }
  }
}
