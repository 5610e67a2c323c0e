// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.BlockCache;
import io.nvcache.KeyHeat;
import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import io.nvcache.Source;
import io.nvcache.tiered.TieredBlockCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;

/**
 * A store of sorted tables behind a DRAM tier and a cache, whose compactions carry the heat of
 * their inputs to their output. Few keys are hot, and they lie scattered over the blocks, as keys
 * that are hashes do.
 */
public final class SmallStore implements AutoCloseable {
  static final int BLOCK_BYTES = 4096;
  private static final int KEYS_PER_BLOCK = 25;
  private static final int TABLES = 8;

  /** What a compaction carries. */
  enum Carried {
    NOTHING,
    /** The heat of blocks, which is spread over the outputs that they were merged into. */
    HEAT_OF_BLOCKS,
    /** The lookups of keys, as counted by the store. */
    LOOKUPS_OF_KEYS
  }

  /** An immutable file: sorted keys, in blocks of {@value #KEYS_PER_BLOCK}. */
  private static final class Table {
    final long id;
    final int[] keys;

    Table(long id, int[] keys) {
      this.id = id;
      this.keys = keys;
    }

    long offsetOf(int key) {
      int place = Arrays.binarySearch(keys, key);
      return place < 0 ? -1 : offsetAt(place);
    }

    static long offsetAt(int place) {
      return (long) (place / KEYS_PER_BLOCK) * BLOCK_BYTES;
    }
  }

  /** By id, the oldest first. */
  private final Map<Long, Table> tables = new ConcurrentSkipListMap<>();

  private final BlockCache cache;
  private final TieredBlockCache tiers;
  private final KeyHeat heat;
  private final Zipf popularity;
  private long loads;
  private long lastId;

  /**
   * Makes a store of so many keys, whose cache holds 15 % of the blocks and whose DRAM tier 5 %.
   */
  SmallStore(int keys, long seed) {
    popularity = new Zipf(keys, seed);
    Random random = new Random(seed);
    int[] tableOf = IntStream.range(0, keys).map(key -> random.nextInt(TABLES)).toArray();
    for (int table = 0; table < TABLES; table++) {
      int number = table;
      add(IntStream.range(0, keys).filter(key -> tableOf[key] == number).toArray());
    }
    long dataBytes = (long) keys / KEYS_PER_BLOCK * BLOCK_BYTES;
    // Writes hardly slow the readers of DRAM: what a compaction brings need not wait for budget.
    cache =
        BlockCache.builder()
            .nativeMemory(dataBytes * 15 / 100)
            .expectedBlockBytes(BLOCK_BYTES)
            .overheadTarget(1)
            .build();
    tiers = TieredBlockCache.builder(dataBytes / 20, this::load).secondTier(cache).build();
    heat = new KeyHeat(dataBytes / BLOCK_BYTES / 5); // The blocks that both tiers hold.
  }

  /** Prints the hits before and after a compaction of half of the tables, of each kind. */
  public static void main(String[] arguments) throws IOException {
    int keys = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
    int window = keys / 160;
    for (Carried carried : Carried.values()) {
      try (SmallStore store = new SmallStore(keys, 1)) {
        store.hitsOf(100 * window);
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < 32; i++) {
          if (i == 8) {
            store.compact(TABLES / 2, carried);
          }
          double hits = store.hitsOf(window);
          points.append(String.format(Locale.ROOT, ", [%d, %.3f]", (i + 1) * window, hits));
        }
        System.out.printf("{\"name\": \"%s\", \"points\": [%s]}%n", carried, points.substring(2));
        store.printCarried();
      }
    }
  }

  private void printCarried() {
    cache
        .control()
        .ledger()
        .entries()
        .forEach(
            (reason, count) -> {
              if (reason.startsWith("carried.") && count > 0) {
                System.out.println("  " + reason + ": " + count);
              }
            });
  }

  private Table add(int[] keys) {
    Table table = new Table(++lastId, keys);
    tables.put(table.id, table);
    return table;
  }

  /** Reads so many keys, and returns the part that no file was read for. */
  double hitsOf(int reads) throws IOException {
    long before = loads;
    for (int i = 0; i < reads; i++) {
      get(popularity.next());
    }
    return 1 - (double) (loads - before) / reads;
  }

  /** Finds the block of a key, as one with perfect Bloom filters would: in one table. */
  ByteBuffer get(int key) throws IOException {
    heat.lookedUp(hash(key));
    for (Table table : tables.values()) {
      long offset = table.offsetOf(key);
      if (offset >= 0) {
        return tiers.get(table.id, offset, BLOCK_BYTES, Source.READ);
      }
    }
    throw new IllegalArgumentException("unknown key " + key);
  }

  private ByteBuffer load(long tableId, long offset) {
    loads++;
    return read(tableId, offset);
  }

  /** Reads a block of a file; here it is made up. */
  private ByteBuffer read(long tableId, long offset) {
    int first = (int) (offset / BLOCK_BYTES) * KEYS_PER_BLOCK;
    int[] keys = Objects.requireNonNull(tables.get(tableId), "table").keys;
    return ByteBuffer.allocate(BLOCK_BYTES).putLong(tableId).putInt(keys[first]).clear();
  }

  private static long hash(int key) {
    return (key + 1) * 0x9e3779b97f4a7c15L;
  }

  /** Merges the oldest tables into one. */
  void compact(int count, Carried carried) {
    List<Table> oldest = tables.values().stream().limit(count).toList();
    switch (carried) {
      case LOOKUPS_OF_KEYS -> compact(oldest, heat);
      case HEAT_OF_BLOCKS -> compact(oldest, new KeyHeat(1)); // Has counted no key.
      case NOTHING -> {
        add(merged(oldest));
        oldest.forEach(this::delete);
      }
    }
  }

  private void compact(List<Table> inputs, KeyHeat heat) {
    Rewrite rewrite = cache.rewrite();
    Table output = add(merged(inputs));
    double lookups = 0;
    for (int i = 0; i < output.keys.length; i++) {
      int key = output.keys[i];
      for (Table input : inputs) {
        long offset = input.offsetOf(key);
        if (offset >= 0) {
          readInput(rewrite, input, offset);
        }
      }
      lookups += heat.recentLookups(hash(key));
      if ((i + 1) % KEYS_PER_BLOCK == 0 || i + 1 == output.keys.length) {
        rewrite.wrote(output.id, Table.offsetAt(i), BLOCK_BYTES, lookups); // It is complete.
        lookups = 0;
      }
    }
    // The commit: from here on the store reads the output. What follows can wait for a thread.
    inputs.forEach(this::delete); // Its invalidateFile makes room for the output's blocks.
    rewrite.carry((file, offset, length) -> read(file, offset)); // Null if it is gone.
  }

  private void readInput(Rewrite rewrite, Table input, long offset) {
    try (PinnedBlock cached = rewrite.read(input.id, offset)) {
      ByteBuffer block = cached == null ? read(input.id, offset) : cached.buffer();
      if (block.getLong(0) != input.id) {
        throw new IllegalStateException("a block of another table");
      }
    }
  }

  private static int[] merged(List<Table> inputs) {
    return inputs.stream().flatMapToInt(table -> Arrays.stream(table.keys)).sorted().toArray();
  }

  private void delete(Table table) {
    tables.remove(table.id);
    tiers.invalidateFile(table.id);
  }

  @Override
  public void close() {
    tiers.close();
  }

  /** Draws keys by Zipf's law, the popular ones scattered. */
  private static final class Zipf {
    private final double[] sums;
    private final int[] keys;
    private final Random random;

    Zipf(int count, long seed) {
      random = new Random(seed);
      sums = new double[count];
      keys = IntStream.range(0, count).toArray();
      double sum = 0;
      for (int i = 0; i < count; i++) {
        sum += Math.pow(i + 1, -0.99);
        sums[i] = sum;
        int other = random.nextInt(i + 1);
        int key = keys[i];
        keys[i] = keys[other];
        keys[other] = key;
      }
    }

    int next() {
      int place = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
      return keys[place < 0 ? Math.min(-place - 1, keys.length - 1) : place];
    }
  }
}
