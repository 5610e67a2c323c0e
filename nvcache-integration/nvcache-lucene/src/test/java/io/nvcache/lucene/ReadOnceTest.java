// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads that come once are no use of a block. */
final class ReadOnceTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 24;
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, -1));

  private final LuceneCache cache = TestCaches.empty(BLOCK_BYTES);
  private final NvCacheDirectory directory =
      new NvCacheDirectory(new ByteBuffersDirectory(), cache);
  private final byte[] bytes = new byte[BLOCKS * BLOCK_BYTES - 7];

  @AfterEach
  void close() throws IOException {
    directory.close();
    TestCaches.close(cache);
  }

  private void write(String name) throws IOException {
    new Random(1).nextBytes(bytes);
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  private byte[] read(IndexInput input) throws IOException {
    byte[] read = new byte[bytes.length];
    input.seek(0);
    input.readBytes(read, 0, read.length);
    return read;
  }

  private long lookups() {
    return cache.blocks().stats().hits() + cache.blocks().stats().misses();
  }

  @Test
  void shouldReadTheDiskWhereReadsComeOnce() throws IOException {
    write("_0.doc");
    write("_1.doc");
    try (IndexInput cached = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(cached);
    }
    long before = lookups();
    long hits = cache.countsByExtension().get("doc").hits();

    for (String name : new String[] {"_0.doc", "_1.doc"}) {
      try (IndexInput once = directory.openInput(name, IOContext.READONCE)) {
        assertThat(read(once)).isEqualTo(bytes);
      }
      try (ChecksumIndexInput checksum = directory.openChecksumInput(name)) {
        checksum.seek(checksum.length());
      }
    }

    assertThat(lookups()).isEqualTo(before);
    assertThat(cache.countsByExtension().get("doc").hits()).isEqualTo(hits);
    assertThat(cache.countsByExtension().get("doc").bypassedOpens()).isEqualTo(4);
  }

  @Test
  @Timeout(60)
  void shouldNeverCountThemAmongTheMissesThatWereOffered() throws Exception {
    write("_0.doc");
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong rounds = new AtomicLong();
    try (IndexInput once = directory.openInput("_0.doc", MERGE)) {
      CompletableFuture<Void> reader =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (; !stop.get(); rounds.incrementAndGet()) {
                    read(once);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      try {
        while (!reader.isDone() && rounds.get() < 1_000) {
          FileClassCounts counts = cache.countsByExtension().get("doc");
          assertThat(counts.misses()).isEqualTo(counts.onceMisses());
        }
      } finally {
        stop.set(true);
      }
      reader.get();
    }
  }

  @Test
  void shouldLookNothingUpForWhatAThreadMerges() throws IOException {
    write("_0.doc");
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      read(input);
      long before = lookups();
      IndexInput merged = input.clone();
      try (IndexOutput out = directory.createOutput("_1.doc", MERGE)) {
        merged.seek(0);
        merged.prefetch(0, merged.length());
        out.copyBytes(merged, merged.length());
      }
      assertThat(lookups()).isEqualTo(before);
      IndexInput searched = input.slice("all", 0, input.length());
      assertThat(read(searched)).isEqualTo(bytes);
      assertThat(lookups()).isEqualTo(before + BLOCKS);
    }
    assertThat(cache.countsByExtension().get("doc").misses()).isEqualTo(BLOCKS);
  }
}
