// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.util.SplittableRandom;

/** Four files of sorted keys, and those that they are merged into, one after the other. */
final class CompactedFiles {
  /** With so many, each input is one file of a trace. */
  static final long MOST_BLOCKS = 1L << (Trace.BLOCKS_OF_FILE_BITS + 1);

  private static final int INPUTS = 4;
  private static final int KEYS_PER_BLOCK = 16;
  private static final int RUN_KEYS = 64;

  private final int keys;

  /** By key: its place among all keys of its input, and which input that is. */
  private final int[] places;

  private final byte[] inputs;

  CompactedFiles(long blocks, SplittableRandom random) {
    this.keys = (int) keys(blocks);
    this.places = new int[keys];
    this.inputs = new byte[keys];
    int[] counts = new int[INPUTS];
    for (int key = 0; key < keys; key++) {
      inputs[key] = (byte) random.nextInt(INPUTS);
      places[key] = counts[inputs[key]]++;
    }
  }

  /** Returns how many keys fill so many blocks. */
  static long keys(long blocks) {
    return blocks * KEYS_PER_BLOCK;
  }

  /** Spreads the ranks over the keys, in runs: hot keys have hot neighbours. */
  int key(long rank) {
    long runs = Math.max(1, keys / RUN_KEYS);
    return (int) ((Zipfian.scramble(rank / RUN_KEYS) % runs * RUN_KEYS + rank % RUN_KEYS) % keys);
  }

  long inputBlock(int key) {
    return block(inputs[key], places[key]);
  }

  long outputBlock(int key) {
    return block(INPUTS, key);
  }

  private static long block(int file, int place) {
    return ((long) file << Trace.BLOCKS_OF_FILE_BITS) + place / KEYS_PER_BLOCK;
  }

  /** What takes the records of the merge. */
  @FunctionalInterface
  interface Records {
    void add(TraceOp op, long block);
  }

  void merge(Records records) {
    for (int key = 0; key < keys; key++) {
      if (places[key] % KEYS_PER_BLOCK == 0) {
        records.add(TraceOp.REWRITE_READ, inputBlock(key));
      }
      if (key % KEYS_PER_BLOCK == KEYS_PER_BLOCK - 1 || key == keys - 1) {
        records.add(TraceOp.REWRITE_WROTE, outputBlock(key));
      }
    }
    for (int key = 0; key < keys; key++) {
      if (places[key] % KEYS_PER_BLOCK == 0) {
        records.add(TraceOp.FREE, inputBlock(key));
      }
    }
    records.add(TraceOp.REWRITE_END, outputBlock(0));
  }
}
