// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import com.sun.management.OperatingSystemMXBean;
import io.nvcache.bench.contender.ContenderKind;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What to compare, on the command line, and the forks that follow from it. */
final class PlanOptions {
  private static final String LATENCY = "latency";
  private static final String MEMORY = "memory";
  private static final String INDEX = "index";
  private static final String SHADOWS = "shadows";

  private static final int MINUTES = 25;
  private static final int MOST_MINUTES = 10_000;

  private static final int BROAD_BLOCK_BYTES = 16384;
  private static final int MEMORY_BLOCK_BYTES = 4096;

  /** A length whose cells differ from the next shorter one's in the copies alone. */
  private static final int LONG_BLOCK_BYTES = 256 << 10;

  /** Blocks to weigh, and the machine's memory from which that many fit next to everything else. */
  private static final int MEMORY_BLOCKS = 1_000_000;

  private static final long ROOMY_BYTES = 14L << 30;

  @Option(names = "--quick", description = "Small sizes and short times: does everything work?")
  boolean quick;

  @Option(
      names = "--full",
      description = "Every combination, each for longer, and an index of 100 million; takes hours.")
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
        "What to measure: hit-copy, hit-touch, miss, miss-file, replace, insert, latency, memory,"
            + " index,",
        "shadows, or one combination such as hit-copy/heap/zipfian/2; default all."
      })
  List<String> cells = List.of();

  @Option(
      names = "--block-bytes",
      split = ",",
      paramLabel = "BYTES",
      description = "Lengths of blocks; default 16384 in full and 4096, 65536 and 262144 in part.")
  @Nullable List<Integer> blockBytes;

  @Option(
      names = "--working-set-mib",
      paramLabel = "MIB",
      description = "MiB of blocks in each cache; default 1024, with --quick 64.")
  @Nullable Integer workingSetMib;

  @Option(
      names = "--index-entries",
      split = ",",
      paramLabel = "N",
      description = {
        "Entries of the chains of lookups; default 1, 10 and 50 million, with --full also 100,",
        "with --quick 200000."
      })
  @Nullable List<Integer> indexEntries;

  @Option(
      names = "--memory-blocks",
      paramLabel = "N",
      description = {
        "Blocks of 4 KiB to weigh; default a million, half of that on a machine with less than",
        "14 GiB, with --quick 20000."
      })
  @Nullable Integer memoryBlocks;

  @Option(
      names = "--huge-pages",
      split = ",",
      paramLabel = "HOW",
      description = {
        "default, on, or default,on; without this option, nothing asks for huge pages but a second"
            + " pass",
        "over the main cells of nvcache."
      })
  @Nullable List<HugePages> hugePages;

  @Option(
      names = "--java-home",
      split = ",",
      paramLabel = "DIR",
      description = "The JDKs to measure on, one after the other; default the one that runs this.")
  List<Path> javaHomes = List.of();

  @Option(
      names = "--millis-per-cell",
      paramLabel = "MS",
      description =
          "Default 500, with --quick 100, with --full 5000; warming up takes as long or longer.")
  @Nullable Integer millisPerCell;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = {
        "When to end at the latest, on each JDK: if time runs short, cells are measured for"
            + " shorter,",
        "and what was not begun is left out. 0 for never; default 25, with --full 0."
      })
  @Nullable Integer minutes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the order of keys; default 42.")
  long seed = 42;

  /** Returns the caches that are not measured since this JVM denies what they need. */
  List<String> leftOut() {
    return impl.stream()
        .filter(name -> Jdk.deniesUnsafe() && ContenderKind.of(name).needsUnsafe())
        .toList();
  }

  /** Returns what a run may take; {@link Long#MAX_VALUE} without a limit. */
  long limitNanos() {
    int each = minutes != null ? minutes : full ? 0 : MINUTES;
    if (each < 0 || each > MOST_MINUTES) {
      throw new IllegalArgumentException(
          "--minutes is " + each + "; it must be between 0 and " + MOST_MINUTES);
    }
    return each == 0 ? Long.MAX_VALUE : TimeUnit.MINUTES.toNanos((long) each * jdks().size());
  }

  /** The JDKs. */
  List<Jdk> jdks() {
    return javaHomes.isEmpty() ? List.of(Jdk.current()) : javaHomes.stream().map(Jdk::at).toList();
  }

  /** The forks on each JDK, contender by contender. */
  List<ForkPlan> plans() {
    if (quick && full) {
      throw new IllegalArgumentException("--quick and --full contradict each other; give one");
    }
    List<String> leftOut = leftOut();
    List<ContenderKind> kinds =
        impl.stream().filter(name -> !leftOut.contains(name)).map(ContenderKind::of).toList();
    checkCells();
    List<ForkPlan> plans = new ArrayList<>();
    for (HugePages pages : hugePages == null ? List.of(HugePages.DEFAULT) : hugePages) {
      for (ContenderKind kind : kinds) {
        addAll(plans, kind, pages);
      }
    }
    if (hugePages == null && kinds.contains(ContenderKind.NVCACHE)) {
      for (int bytes : givenOrBroad()) {
        addCells(plans, ContenderKind.NVCACHE, bytes, HugePages.ON);
      }
      addIndex(plans, HugePages.ON, indexEntries().stream().limit(2).toList());
    }
    return plans;
  }

  private void addAll(List<ForkPlan> plans, ContenderKind kind, HugePages pages) {
    for (int bytes : blockBytes()) {
      addCells(plans, kind, bytes, pages);
    }
    if (isWanted(LATENCY)) {
      for (int bytes : givenOrBroad()) {
        plans.add(plan(ForkPlan.Task.LATENCY, kind, bytes, blocksOf(bytes), pages, List.of()));
      }
    }
    if (isWanted(MEMORY)) {
      int blocks = valueOr(memoryBlocks, quick ? 20_000 : roomyMemoryBlocks());
      plans.add(plan(ForkPlan.Task.MEMORY, kind, MEMORY_BLOCK_BYTES, blocks, pages, List.of()));
    }
    if (kind == ContenderKind.NVCACHE) {
      addIndex(plans, pages, indexEntries());
      addShadows(plans, pages);
    }
  }

  private void addShadows(List<ForkPlan> plans, HugePages pages) {
    if (isWanted(SHADOWS)) {
      for (int bytes : blockBytes()) {
        if (bytes == LONG_BLOCK_BYTES && blockBytes == null) {
          continue;
        }
        plans.add(
            plan(
                ForkPlan.Task.SHADOWS,
                ContenderKind.NVCACHE,
                bytes,
                blocksOf(bytes),
                pages,
                List.of()));
      }
    }
  }

  private void addCells(List<ForkPlan> plans, ContenderKind kind, int bytes, HugePages pages) {
    boolean apart = hugePages == null && pages == HugePages.ON;
    List<Cell> wanted =
        (apart ? CellGrid.ofHugePages() : grid(bytes)).stream().filter(this::isWanted).toList();
    if (!wanted.isEmpty()) {
      plans.add(plan(ForkPlan.Task.CELLS, kind, bytes, blocksOf(bytes), pages, wanted));
    }
  }

  private void addIndex(List<ForkPlan> plans, HugePages pages, List<Integer> sizes) {
    if (isWanted(INDEX)) {
      for (int entries : sizes) {
        int bytes = EmptyMedium.BLOCK_BYTES;
        plans.add(
            plan(ForkPlan.Task.INDEX, ContenderKind.NVCACHE, bytes, entries, pages, List.of()));
      }
    }
  }

  private ForkPlan plan(
      ForkPlan.Task task,
      ContenderKind kind,
      int bytes,
      int blocks,
      HugePages pages,
      List<Cell> wanted) {
    long millis = valueOr(millisPerCell, quick ? 100 : full ? 5000 : 500);
    return new ForkPlan(task, kind, bytes, blocks, millis, seed, pages, wanted);
  }

  private int blocksOf(int bytes) {
    long workingSetBytes = (long) valueOr(workingSetMib, quick ? 64 : 1024) << 20;
    return (int) Math.max(64, workingSetBytes / bytes);
  }

  private static int roomyMemoryBlocks() {
    OperatingSystemMXBean machine =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return machine.getTotalMemorySize() < ROOMY_BYTES ? MEMORY_BLOCKS / 2 : MEMORY_BLOCKS;
  }

  private static int valueOr(@Nullable Integer given, int otherwise) {
    int value = given == null ? otherwise : given;
    if (value < 1) {
      throw new IllegalArgumentException("a number is " + value + "; it must be at least 1");
    }
    return value;
  }

  /** Returns the lengths of what is measured of one length unless others are asked for. */
  private List<Integer> givenOrBroad() {
    return blockBytes == null ? List.of(BROAD_BLOCK_BYTES) : blockBytes();
  }

  private List<Integer> blockBytes() {
    List<Integer> lengths =
        blockBytes != null
            ? blockBytes
            : quick
                ? List.of(BROAD_BLOCK_BYTES)
                : List.of(4096, BROAD_BLOCK_BYTES, 65536, LONG_BLOCK_BYTES);
    for (int bytes : lengths) {
      if (bytes < 512 || bytes > 1 << 20) {
        throw new IllegalArgumentException(
            "--block-bytes is " + bytes + "; it must be between 512 and " + (1 << 20));
      }
    }
    return lengths;
  }

  private List<Integer> indexEntries() {
    Stream<Integer> sizes =
        indexEntries != null
            ? indexEntries.stream()
            : quick
                ? Stream.of(200_000)
                : Stream.of(1_000_000, 10_000_000, 50_000_000, 100_000_000).limit(full ? 4 : 3);
    return sizes.map(size -> valueOr(size, size)).toList();
  }

  /** The cells of blocks of one length, more of them for 16 KiB and when asked for. */
  private List<Cell> grid(int bytes) {
    // A combination that is named is measured, whether or not a default run has it.
    if (full || cells.stream().anyMatch(cell -> cell.contains("/"))) {
      return CellGrid.every();
    }
    if (bytes == BROAD_BLOCK_BYTES || blockBytes != null) {
      return CellGrid.broad();
    }
    return bytes == LONG_BLOCK_BYTES ? CellGrid.brief() : CellGrid.ends();
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
        Stream.concat(
                Arrays.stream(ComparedOperation.values())
                    .map(op -> op.name().toLowerCase(Locale.ROOT).replace('_', '-')),
                Stream.of(LATENCY, MEMORY, INDEX, SHADOWS))
            .toList();
    for (String cell : cells) {
      if (!known.contains(cell)
          && CellGrid.every().stream().noneMatch(c -> c.toString().equals(cell))) {
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
