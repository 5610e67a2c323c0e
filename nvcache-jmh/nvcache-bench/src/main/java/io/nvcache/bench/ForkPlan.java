// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.bench.contender.ContenderKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What one forked JVM does.
 *
 * @param task what is measured
 * @param kind of which cache
 * @param blockBytes the length of all blocks
 * @param blocks how many the cache is filled with
 * @param millisPerCell how long each cell is measured, without warming up
 * @param seed of the order of the keys
 * @param pages whether it asks for huge pages
 * @param cells what to measure, for {@link Task#CELLS}
 */
record ForkPlan(
    Task task,
    ContenderKind kind,
    int blockBytes,
    int blocks,
    long millisPerCell,
    long seed,
    HugePages pages,
    List<Cell> cells) {

  /** The kinds of fork. */
  enum Task {
    /** Operations of a filled cache. */
    CELLS,
    /** Inserts one by one. */
    LATENCY,
    /** DRAM and objects that a filled cache takes, and what they do to collections. */
    MEMORY,
    /** Chains of dependent lookups. */
    INDEX,
    /** Hits of a cache with shadows next to one without. */
    SHADOWS
  }

  /**
   * An eighth more than the blocks, so that caches that divide their room do not evict while they
   * fill.
   */
  int capacityBlocks() {
    return blocks + Math.max(1, blocks / 8);
  }

  /** Returns the same with another time of each cell. */
  ForkPlan withMillisPerCell(long millis) {
    return new ForkPlan(task, kind, blockBytes, blocks, millis, seed, pages, cells);
  }

  long nanosPerCell() {
    return TimeUnit.MILLISECONDS.toNanos(millisPerCell);
  }

  /** Labels of all records of the fork. */
  Map<String, String> labels() {
    return Map.of(
        "impl", kind.label(),
        "blockBytes", Integer.toString(blockBytes),
        "hugePages", pages.label(),
        "jdk", Integer.toString(Runtime.version().feature()));
  }

  List<String> toArguments() {
    return List.of(
        task.name(),
        kind.label(),
        Integer.toString(blockBytes),
        Integer.toString(blocks),
        Long.toString(millisPerCell),
        Long.toString(seed),
        pages.name(),
        cells.stream().map(Cell::toString).collect(Collectors.joining(",")));
  }

  static ForkPlan parse(List<String> arguments) {
    String cells = arguments.get(7);
    return new ForkPlan(
        Task.valueOf(arguments.get(0)),
        ContenderKind.of(arguments.get(1)),
        Integer.parseInt(arguments.get(2)),
        Integer.parseInt(arguments.get(3)),
        Long.parseLong(arguments.get(4)),
        Long.parseLong(arguments.get(5)),
        HugePages.valueOf(arguments.get(6)),
        cells.isEmpty()
            ? List.of()
            : Arrays.stream(cells.split(",", -1)).map(Cell::parse).toList());
  }
}
