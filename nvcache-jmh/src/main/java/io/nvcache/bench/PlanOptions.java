// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What to compare, on the command line, and the forks that follow from it. */
final class PlanOptions {
  private static final String MEMORY = "memory";
  private static final String INDEX = "index";

  private static final int MEMORY_BLOCK_BYTES = 4096;

  @Option(names = "--quick", description = "Small sizes and short times: does everything work?")
  boolean quick;

  @Option(names = "--full", description = "Every combination, each for longer; takes hours.")
  boolean full;

  @Option(
      names = "--impl",
      split = ",",
      paramLabel = "NAME",
      description = "The caches to measure; default all of them.")
  List<String> impl = Arrays.stream(ContenderKind.values()).map(ContenderKind::label).toList();

  @Option(
      names = "--cells",
      split = ",",
      paramLabel = "CELL",
      description = {
        "What to measure: hit-copy, hit-touch, miss, replace, insert, memory, index, or one",
        "combination such as hit-copy/heap/zipfian/2; default all."
      })
  List<String> cells = List.of();

  @Option(
      names = "--block-bytes",
      split = ",",
      paramLabel = "BYTES",
      description = "Lengths of blocks; default 16384 in full and 4096 and 65536 in part.")
  @Nullable List<Integer> blockBytes;

  @Option(
      names = "--working-set-mib",
      paramLabel = "MIB",
      description = "MiB of blocks in each cache; default 1024, with --quick 64.")
  @Nullable Integer workingSetMib;

  @Option(
      names = "--index-entries",
      paramLabel = "N",
      description = "Entries of the chains of lookups; default 10 million, with --quick 200000.")
  @Nullable Integer indexEntries;

  @Option(
      names = "--memory-blocks",
      paramLabel = "N",
      description = "Blocks of 4 KiB to weigh; default 500000, with --quick 20000.")
  @Nullable Integer memoryBlocks;

  @Option(
      names = "--millis-per-cell",
      paramLabel = "MS",
      description =
          "Default 900, with --quick 100, with --full 5000; warming up takes as long again.")
  @Nullable Integer millisPerCell;

  @Option(names = "--seed", paramLabel = "N", description = "Of the order of keys; default 42.")
  long seed = 42;

  /** The forks, contender by contender. */
  List<ForkPlan> plans() {
    if (quick && full) {
      throw new IllegalArgumentException("--quick and --full contradict each other; give one");
    }
    List<ContenderKind> kinds = impl.stream().map(ContenderKind::of).toList();
    checkCells();
    List<ForkPlan> plans = new ArrayList<>();
    for (ContenderKind kind : kinds) {
      for (int bytes : blockBytes()) {
        addCells(plans, kind, bytes);
      }
      if (isWanted(MEMORY)) {
        int blocks = valueOr(memoryBlocks, quick ? 20_000 : 500_000);
        plans.add(plan(ForkPlan.Task.MEMORY, kind, MEMORY_BLOCK_BYTES, blocks, List.of()));
      }
      if (isWanted(INDEX) && kind == ContenderKind.NVCACHE) {
        int entries = valueOr(indexEntries, quick ? 200_000 : 10_000_000);
        plans.add(plan(ForkPlan.Task.INDEX, kind, EmptyMedium.BLOCK_BYTES, entries, List.of()));
      }
    }
    return plans;
  }

  private void addCells(List<ForkPlan> plans, ContenderKind kind, int bytes) {
    List<Cell> wanted = grid(bytes).stream().filter(this::isWanted).toList();
    if (!wanted.isEmpty()) {
      long workingSetBytes = (long) valueOr(workingSetMib, quick ? 64 : 1024) << 20;
      int blocks = (int) Math.max(64, workingSetBytes / bytes);
      plans.add(plan(ForkPlan.Task.CELLS, kind, bytes, blocks, wanted));
    }
  }

  private ForkPlan plan(
      ForkPlan.Task task, ContenderKind kind, int bytes, int blocks, List<Cell> wanted) {
    long millis = valueOr(millisPerCell, quick ? 100 : full ? 5000 : 900);
    return new ForkPlan(task, kind, bytes, blocks, millis, seed, wanted);
  }

  private static int valueOr(@Nullable Integer given, int otherwise) {
    if (given != null && given < 1) {
      throw new IllegalArgumentException("a number is " + given + "; it must be at least 1");
    }
    return given == null ? otherwise : given;
  }

  private List<Integer> blockBytes() {
    List<Integer> lengths =
        blockBytes != null ? blockBytes : quick ? List.of(16384) : List.of(4096, 16384, 65536);
    for (int bytes : lengths) {
      if (bytes < 512 || bytes > 1 << 20) {
        throw new IllegalArgumentException(
            "--block-bytes is " + bytes + "; it must be between 512 and " + (1 << 20));
      }
    }
    return lengths;
  }

  /** All cells of blocks of one length, in full for 16 KiB and when asked for. */
  private List<Cell> grid(int bytes) {
    if (full) {
      return everyCell();
    }
    List<String> cells = new ArrayList<>();
    cells.add("hit-copy/heap/uniform/1");
    cells.add("hit-touch/heap/uniform/1");
    cells.add("insert/direct/uniform/1");
    cells.add("replace/direct/uniform/1");
    if (bytes == 16384 || blockBytes != null) {
      cells.add("hit-copy/direct/uniform/1");
      cells.add("hit-copy/heap/zipfian/1");
      cells.add("hit-copy/heap/uniform/2");
      cells.add("hit-touch/heap/uniform/2");
      cells.add("miss/heap/uniform/1");
      cells.add("insert/direct/uniform/2");
    }
    return cells.stream().map(Cell::parse).toList();
  }

  private static List<Cell> everyCell() {
    List<Cell> cells = new ArrayList<>();
    for (Operation operation : Operation.values()) {
      for (Cell.Buffers buffer : Cell.Buffers.values()) {
        boolean usesBuffer = operation != Operation.HIT_TOUCH && operation != Operation.MISS;
        for (Cell.Keys keys : Cell.Keys.values()) {
          boolean choosesKeys = operation != Operation.INSERT;
          for (int threads = 1; threads <= 2; threads++) {
            if ((usesBuffer || buffer == Cell.Buffers.HEAP)
                && (choosesKeys || keys == Cell.Keys.UNIFORM)) {
              cells.add(new Cell(operation, buffer, keys, threads));
            }
          }
        }
      }
    }
    return cells;
  }

  private boolean isWanted(String task) {
    return cells.isEmpty() || cells.contains(task);
  }

  private boolean isWanted(Cell cell) {
    String name = cell.toString();
    return cells.isEmpty()
        || cells.contains(name)
        || cells.contains(name.substring(0, name.indexOf('/')));
  }

  private void checkCells() {
    List<String> known =
        new ArrayList<>(
            everyCell().stream()
                .map(cell -> cell.operation().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .distinct()
                .toList());
    known.addAll(List.of(MEMORY, INDEX));
    for (String cell : cells) {
      if (!known.contains(cell) && everyCell().stream().noneMatch(c -> c.toString().equals(cell))) {
        throw new IllegalArgumentException(
            "--cells has "
                + cell
                + "; there are "
                + known.stream().collect(Collectors.joining(", "))
                + ", and combinations such as hit-copy/heap/zipfian/2");
      }
    }
  }
}
