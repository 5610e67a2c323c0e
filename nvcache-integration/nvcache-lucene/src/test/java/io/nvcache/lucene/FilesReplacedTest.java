// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that are deleted, created again and renamed under their readers. Neither length nor end
 * distinguishes one from its namesakes, so nothing but the directory's own care keeps their blocks
 * apart.
 */
@Timeout(120)
final class FilesReplacedTest {
  private static final int BLOCK_BYTES = 256;
  private static final int LONGS = 5 * BLOCK_BYTES / Long.BYTES;
  private static final int SAME_AT_THE_END = 16;
  private static final int NAMES = 3;
  private static final int READERS = 3;
  private static final int WRITERS = 2;
  private static final int CHANGES = 400;

  @TempDir private Path folder;

  private final Object[] changing = new Object[NAMES];

  /** The version of each name's file that was complete last; 0 before the first. */
  private final AtomicLong[] current = new AtomicLong[NAMES];

  private final AtomicLong versions = new AtomicLong();
  private final AtomicLong compared = new AtomicLong();
  private final AtomicBoolean stop = new AtomicBoolean();

  @Test
  void shouldReadOneFileOnly_AndNoneThatWasReplacedBefore() throws Exception {
    long seed = System.nanoTime();
    for (int i = 0; i < NAMES; i++) {
      changing[i] = new Object();
      current[i] = new AtomicLong();
    }
    LuceneCache cache = TestCaches.empty(BLOCK_BYTES);
    ExecutorService threads = Executors.newCachedThreadPool();
    try (NvCacheDirectory directory = new NvCacheDirectory(new NIOFSDirectory(folder), cache)) {
      List<Future<?>> writers = new ArrayList<>();
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        SplittableRandom random = new SplittableRandom(seed + i);
        String pending = "pending_" + i;
        writers.add(threads.submit(() -> write(directory, random, pending)));
      }
      for (int i = 0; i < READERS; i++) {
        SplittableRandom random = new SplittableRandom(seed - 1 - i);
        readers.add(threads.submit(() -> read(directory, random)));
      }
      try {
        for (Future<?> writer : writers) {
          writer.get();
        }
      } finally {
        stop.set(true);
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(compared).as("files that were compared, seed %s", seed).hasPositiveValue();
    TestCaches.close(cache);
  }

  /** Where another host writes the index, as on NFS. */
  @Test
  void shouldForgetWhatSomebodyElseDeleted_WhenFilesAreListed() throws Exception {
    LuceneCache cache = TestCaches.empty(BLOCK_BYTES);
    try (NvCacheDirectory directory = new NvCacheDirectory(new NIOFSDirectory(folder), cache);
        NIOFSDirectory other = new NIOFSDirectory(folder)) {
      create(directory, file(0), 1);
      create(directory, file(1), 1);
      for (int name = 0; name < 2; name++) {
        try (IndexInput input = directory.openInput(file(name), IOContext.DEFAULT)) {
          input.readLong();
        }
      }
      long both = cache.blocks().stats().dataSetBytes().orElseThrow();
      other.deleteFile(file(0));
      assertThat(directory.listAll()).containsExactly(file(1));
      assertThat(cache.blocks().stats().dataSetBytes()).hasValue(both / 2);
    }
    TestCaches.close(cache);
  }

  private Void write(NvCacheDirectory directory, SplittableRandom random, String pending)
      throws IOException {
    for (int i = 0; i < CHANGES; i++) {
      int name = random.nextInt(NAMES);
      synchronized (changing[name]) {
        long version = versions.incrementAndGet();
        if (random.nextBoolean()) {
          if (current[name].get() > 0) {
            directory.deleteFile(file(name));
          }
          create(directory, file(name), version);
        } else {
          create(directory, pending, version);
          directory.rename(pending, file(name));
        }
        current[name].set(version);
      }
    }
    return null;
  }

  private static String file(int name) {
    return "_" + name + ".dat";
  }

  private static void create(NvCacheDirectory directory, String name, long version)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LONGS * Long.BYTES + SAME_AT_THE_END);
    for (int i = 0; i < LONGS; i++) {
      bytes.putLong(version);
    }
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes.array(), bytes.capacity());
    }
  }

  private Void read(NvCacheDirectory directory, SplittableRandom random) throws IOException {
    while (!stop.get() || compared.get() == 0) { // Readers may start after the last change.
      int name = random.nextInt(NAMES);
      long least = current[name].get();
      try (IndexInput input = directory.openInput(file(name), IOContext.DEFAULT)) {
        if (input.length() == 0) {
          continue; // It is being written.
        }
        byte[] read = new byte[LONGS * Long.BYTES];
        for (int repeat = 0; repeat < 3; repeat++) {
          IndexInput clone = input.clone();
          clone.readBytes(read, 0, read.length);
          ByteBuffer longs = ByteBuffer.wrap(read);
          long first = longs.getLong();
          assertThat(first).as("version of %s", input).isGreaterThanOrEqualTo(least);
          while (longs.hasRemaining()) {
            assertThat(longs.getLong()).as("version of a part of %s", input).isEqualTo(first);
          }
        }
        compared.incrementAndGet();
      } catch (NoSuchFileException e) {
        // It was deleted, and not created again yet.
      }
    }
    return null;
  }
}
