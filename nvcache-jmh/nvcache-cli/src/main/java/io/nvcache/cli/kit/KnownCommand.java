// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import java.util.Locale;

/**
 * The commands of the program, in the order of its help. The texts are constants, so that a command
 * and the list that it is in say the same, and the list needs none of the commands' classes.
 */
public enum KnownCommand {
  /** YCSB's workloads. */
  YCSB("nvcache-ycsb", KnownCommand.YCSB_SUMMARY),
  /** Replays of traces. */
  TRACE(KnownCommand.OWN_MODULE, KnownCommand.TRACE_SUMMARY),
  /** Calibration of a medium. */
  CALIBRATE(KnownCommand.OWN_MODULE, KnownCommand.CALIBRATE_SUMMARY),
  /** Random runs that check themselves. */
  STRESS("nvcache-bench", KnownCommand.STRESS_SUMMARY),
  /** Caches inside a host. */
  BENCH("nvcache-bench", KnownCommand.BENCH_SUMMARY),
  /** The figures of the paper. */
  REPRODUCE("nvcache-reproduction", KnownCommand.REPRODUCE_SUMMARY),
  /** What a restart would find. */
  INSPECT(KnownCommand.OWN_MODULE, KnownCommand.INSPECT_SUMMARY),
  /** Deletion of what caches leave behind. */
  WIPE(KnownCommand.OWN_MODULE, KnownCommand.WIPE_SUMMARY),
  /** Durable write logs. */
  LOG(KnownCommand.OWN_MODULE, KnownCommand.LOG_SUMMARY),
  /** Caches of running processes. */
  JMX(KnownCommand.OWN_MODULE, KnownCommand.JMX_SUMMARY);

  /** The module that holds the program itself. */
  public static final String OWN_MODULE = "nvcache-cli";

  /** What {@code ycsb} does. */
  public static final String YCSB_SUMMARY =
      "Runs YCSB's core workloads on an HFile store with a DRAM tier, with and without a second"
          + " tier below it, and compares the policies of that second tier on the same data.";

  /** What {@code trace} does. */
  public static final String TRACE_SUMMARY =
      "Replays traces of block requests through the cache, in virtual time and without the blocks'"
          + " bytes, and compares policies by their hits and their writes to the medium.";

  /** What {@code calibrate} does. */
  public static final String CALIBRATE_SUMMARY =
      "Measures how much writes slow the readers of a medium, next to native memory, and derives"
          + " the overhead target for caches on it.";

  /** What {@code stress} does. */
  public static final String STRESS_SUMMARY =
      "Uses a cache at random and checks every answer, while settings change, the medium misbehaves"
          + " and caches are closed under their users.";

  /** What {@code bench} does. */
  public static final String BENCH_SUMMARY =
      "Compares NVCache with the caches of a host, behind that host's own reader, or with the bare"
          + " drive.";

  /** What {@code reproduce} does. */
  public static final String REPRODUCE_SUMMARY =
      "Reproduces the figures and tables of SoCC '22 on a model of its machine, in virtual time:"
          + " admission, eviction, index and allocator are the real ones.";

  /** What {@code inspect} does. */
  public static final String INSPECT_SUMMARY =
      "Says what a restart of a cache on a file or device of flash would find there, or why it"
          + " would be cold. Changes nothing; a cache may have the file open.";

  /** What {@code wipe} does. */
  public static final String WIPE_SUMMARY =
      "Overwrites and deletes what caches left behind: heaps of LLPL, by themselves or in the"
          + " directories named, and with --mapped the files of mapped media.";

  /** What {@code log} does. */
  public static final String LOG_SUMMARY =
      "Looks at, recovers, exports and wipes durable write logs, which make writes of unmodified"
          + " programs durable in persistent memory.";

  /** What {@code jmx} does. */
  public static final String JMX_SUMMARY =
      "Looks at and changes the caches of a running process, named by its id on this machine, by"
          + " the HOST:PORT of its JMX registry, or by a JMX URL.";

  private final String module;
  private final String summary;

  KnownCommand(String module, String summary) {
    this.module = module;
    this.summary = summary;
  }

  /** Returns the name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of the module that brings it. */
  public String module() {
    return module;
  }

  /** Returns what it does, and which module it needs. */
  public String summaryIfMissing() {
    return summary.concat(" (needs ").concat(module).concat(")");
  }

  /** Returns what it does. */
  public String summary() {
    return summary;
  }
}
