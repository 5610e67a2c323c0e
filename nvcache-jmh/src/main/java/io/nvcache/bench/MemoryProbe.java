// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.report.JsonRecords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The DRAM that a full cache takes beyond the bytes of its blocks: what the process grows by, heap
 * and native memory, less those bytes. The JVM has to be started with a heap of a fixed size,
 * touched beforehand, so that its resident memory changes by native memory only.
 */
final class MemoryProbe {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  /**
   * Caches that are filled before the measurement, so that classes are loaded and code is compiled;
   * small ones, because what they free may stay with the process and be used again.
   */
  private static final int WARM_UPS = 8;

  private static final int WARM_UP_BLOCKS = 1000;

  private MemoryProbe() {}

  static void run(ForkPlan plan, Consumer<JsonRecords.Entry> out) {
    int blockBytes = plan.blockBytes();
    for (int i = 0; i < WARM_UPS; i++) {
      try (Contender contender = plan.kind().open(blockBytes, WARM_UP_BLOCKS)) {
        var unused = Loader.load(contender, blockBytes, WARM_UP_BLOCKS);
      }
    }
    long before = processBytes();
    try (Contender contender = plan.kind().open(blockBytes, plan.blocks())) {
      int held = Loader.load(contender, blockBytes, plan.blocks()).length;
      double process = (processBytes() - before - (double) held * blockBytes) / held;
      Map<String, String> labels = new TreeMap<>(plan.labels());
      labels.put("entries", Integer.toString(held));
      labels.put("source", "process");
      out.accept(new JsonRecords.Entry("process_bytes_per_block", labels, process, "B"));
      long told = contender.metadataBytes();
      if (told >= 0) {
        labels.put("source", "stats");
      }
      double value = told >= 0 ? (double) told / held : process;
      out.accept(new JsonRecords.Entry("dram_bytes_per_block", labels, value, "B"));
    }
  }

  private static long processBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
      // Direct buffers are freed by a thread of the JVM, some time after the collection.
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    trimNativeHeap();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return heap + residentBytes();
  }

  /** Has the C library give free memory back, else it would hide what is allocated next. */
  private static void trimNativeHeap() {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("com.sun.management:type=DiagnosticCommand"),
              "systemTrimNativeHeap",
              new Object[0],
              new String[0]);
    } catch (JMException e) {
      System.err.println("this JVM can't trim its native heap; the figure may be too low: " + e);
    }
  }

  private static long residentBytes() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(RESIDENT)) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("resident memory is known on Linux only", e);
    }
    throw new IllegalStateException(STATUS + " has no line " + RESIDENT);
  }
}
