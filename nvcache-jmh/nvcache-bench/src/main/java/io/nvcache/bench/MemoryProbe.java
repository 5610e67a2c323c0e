// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.BlockCache;
import io.nvcache.PolicyPreset;
import io.nvcache.bench.contender.Contender;
import io.nvcache.bench.contender.ContenderKind;
import io.nvcache.bench.sample.Emitter;
import io.nvcache.bench.sample.GcProbe;
import io.nvcache.bench.sample.KeyWalk;
import io.nvcache.bench.sample.ResidentMemory;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The DRAM that a full cache takes beyond the bytes of its blocks: what the process grows by, heap
 * and native memory, less those bytes. The JVM has to be started with a heap of a fixed size,
 * touched beforehand, so that its resident memory changes by native memory only.
 */
final class MemoryProbe {
  /**
   * Caches that are filled before the measurement, so that classes are loaded and code is compiled;
   * small ones, because what they free may stay with the process and be used again.
   */
  private static final int WARM_UPS = 8;

  private static final int WARM_UP_BLOCKS = 1000;

  /** What the application allocates in each measurement of pauses, per millisecond of a cell. */
  private static final long GARBAGE_BYTES_PER_MILLI = 4L << 20;

  private MemoryProbe() {}

  static void run(ForkPlan plan, Emitter out) {
    int blockBytes = plan.blockBytes();
    for (int i = 0; i < WARM_UPS; i++) {
      try (Contender contender = plan.kind().open(blockBytes, WARM_UP_BLOCKS)) {
        var unused = Loader.load(contender, blockBytes, WARM_UP_BLOCKS);
      }
    }
    long processBefore = processBytes();
    long objectsBefore = heapObjects();
    GcProbe pauses = new GcProbe(plan.millisPerCell() * GARBAGE_BYTES_PER_MILLI);
    try (Contender contender = plan.kind().open(blockBytes, plan.blocks())) {
      int held = Loader.loadFull(contender, blockBytes, plan.blocks());
      Emitter full = out.with("entries", held);
      double grown = processBytes() - processBefore - (double) held * blockBytes;
      full.value("dram_bytes_per_block", grown / held, "B");
      long reported = contender.metadataBytes();
      if (reported >= 0) {
        full.value("metadata_bytes_per_block", (double) reported / held, "B");
      }
      if (plan.kind() == ContenderKind.NVCACHE) {
        weighDefaultPolicies(plan, held, reported, full);
      }
      double objects = heapObjects() - objectsBefore;
      full.value("heap_objects_per_block", objects / held, "objects");
      // Pauses come after the weighing, because the flight recorder takes memory itself.
      Runnable use = uses(contender, plan);
      pauses.run(use, full);
    }
    System.gc();
    pauses.run(() -> {}, out.with("entries", 0));
  }

  /**
   * The cache is compared as one that admits everything; its own policies remember more, from the
   * beginning on.
   *
   * @param full what the cache counts that admits everything, once it is full
   */
  private static void weighDefaultPolicies(ForkPlan plan, int held, long full, Emitter out) {
    double more =
        emptyMetadataBytes(plan, PolicyPreset.DEFAULT)
            - emptyMetadataBytes(plan, PolicyPreset.ADMIT_ALL);
    out.value("default_policy_metadata_bytes_per_block", (full + more) / held, "B");
  }

  private static double emptyMetadataBytes(ForkPlan plan, PolicyPreset policies) {
    try (BlockCache cache = EmptyMedium.cacheFor(plan.blocks(), policies)) {
      return cache.stats().metadataBytes();
    }
  }

  /** A lookup of a block that was put in first, and an insert of a new one, each time. */
  private static Runnable uses(Contender contender, ForkPlan plan) {
    ByteBuffer block = ByteBuffer.allocateDirect(plan.blockBytes());
    KeyWalk keys = KeyWalk.uniform(Loader.keys(plan.blocks()), plan.seed());
    AtomicLong newKey = new AtomicLong(2L * plan.blocks());
    return () -> {
      var unused = contender.get(keys.next(), block.clear());
      contender.put(newKey.getAndIncrement(), block.clear());
    };
  }

  private static long processBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
      // Direct buffers are freed by a thread of the JVM, some time after the collection.
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    // Has the C library give free memory back, else it would hide what is allocated next.
    var unused = diagnose("systemTrimNativeHeap");
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return heap + ResidentMemory.read().residentBytes();
  }

  /** Live objects, by the histogram of classes: its last line is {@code Total objects bytes}. */
  private static long heapObjects() {
    String histogram = diagnose("gcClassHistogram").strip();
    String[] total = histogram.substring(histogram.lastIndexOf('\n') + 1).strip().split(" +", -1);
    return total.length == 3 ? Long.parseLong(total[1]) : 0;
  }

  private static String diagnose(String command) {
    try {
      Object[] arguments = {new String[0]};
      boolean takesArguments = command.equals("gcClassHistogram");
      return String.valueOf(
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  command,
                  takesArguments ? arguments : new Object[0],
                  takesArguments ? new String[] {String[].class.getName()} : new String[0]));
    } catch (JMException e) {
      System.err.println("this JVM lacks " + command + "; figures of memory may be wrong: " + e);
      return "";
    }
  }
}
