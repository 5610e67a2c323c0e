// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.hbase.compaction.CompactionOutputs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store beside a TreeMap, with flushes and compactions going on all the time. */
class LsmTreeTest {
  private static final long SEED = 20260714;
  private static final int WRITERS = 2;
  private static final int OPERATIONS = 6000;

  @TempDir private Path directory;

  /** Puts, gets and scans of the keys that are one writer's own, so that it knows them. */
  private static final class Writer implements Callable<NavigableMap<String, String>> {
    private final HFileStore store;
    private final String prefix;
    private final Random random;
    private final NavigableMap<String, String> model = new TreeMap<>();

    Writer(HFileStore store, int number) {
      this.store = store;
      this.prefix = "writer" + number + "-";
      this.random = new Random(SEED + number);
    }

    @Override
    public NavigableMap<String, String> call() throws IOException {
      for (int i = 0; i < OPERATIONS; i++) {
        String key = prefix + random.nextInt(400);
        int choice = random.nextInt(100);
        if (choice < 50) {
          String value = "value " + i + " of " + key + ".".repeat(random.nextInt(200));
          store.put(bytes(key), bytes(value));
          model.put(key, value);
        } else if (choice < 95) {
          byte[] found = store.get(bytes(key));
          assertThat(found == null ? null : text(found))
              .as("%s, operation %d, seed %d", key, i, SEED)
              .isEqualTo(model.get(key));
        } else {
          assertScan(key, 1 + random.nextInt(50), i);
        }
      }
      return model;
    }

    private void assertScan(String from, int limit, int operation) throws IOException {
      List<String> found = new ArrayList<>();
      for (Map.Entry<byte[], byte[]> entry : store.scan(bytes(from), limit)) {
        if (text(entry.getKey()).startsWith(prefix)) {
          found.add(text(entry.getKey()) + "=" + text(entry.getValue()));
        }
      }
      List<String> expected =
          model.tailMap(from).entrySet().stream()
              .limit(limit)
              .map(entry -> entry.getKey() + "=" + entry.getValue())
              .toList();
      assertThat(found).as("scan %d from %s, seed %d", operation, from, SEED).isEqualTo(expected);
    }
  }

  @Test
  void shouldAgreeWithAMapWhileFilesAreFlushedAndMerged() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try (BlockCache second = cache();
        HFileStore store = HFileStore.load(directory, options(), second, loaded -> {})) {
      List<Writer> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(new Writer(store, i));
      }
      NavigableMap<String, String> expected = new TreeMap<>();
      for (Future<NavigableMap<String, String>> writer : threads.invokeAll(writers)) {
        expected.putAll(writer.get());
      }

      NavigableMap<String, String> found = new TreeMap<>();
      for (Map.Entry<byte[], byte[]> entry : store.scan(bytes("writer"), Integer.MAX_VALUE)) {
        found.put(text(entry.getKey()), text(entry.getValue()));
      }
      assertThat(found).as("seed %d", SEED).isEqualTo(expected);
      assertThat(second.stats().hits()).isPositive();
      assertThat(second.stats().offers(Source.COMPACTION))
          .as("blocks offered by compactions")
          .isPositive();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldForgetTheBlocksOfMergedFiles() throws Exception {
    try (BlockCache second = cache();
        HFileStore store = HFileStore.load(directory, options(), second, loaded -> {})) {
      for (int i = 0; i < 3000; i++) {
        store.put(bytes("key" + i % 1000), bytes("value" + i + ".".repeat(100)));
      }
      store.settle();
      assertThat(second.stats().invalidations()).isPositive();
      assertThat(second.control().dataSet().bytes()).hasValue(store.dataBytes());
      assertThat(store.fileCount()).isLessThanOrEqualTo(4);
    }
  }

  private StoreOptions options() {
    return new StoreOptions(500, 1, 50, 1024, 50_000, 20_000, 3, CompactionOutputs.CARRY);
  }

  private static BlockCache cache() {
    return BlockCache.builder()
        .nativeMemory(64 << 20)
        .admission(AdmissionPresets.admitAll())
        .build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
