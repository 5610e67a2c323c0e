// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.report.Labelled;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** YCSB's six core workloads. */
public enum WorkloadChoice {
  /** Half reads, half updates. */
  A("50 % reads, 50 % updates", Distribution.ZIPFIAN, 0.5, 0.5, 0, 0, 0),
  /** Mostly reads. */
  B("95 % reads, 5 % updates", Distribution.ZIPFIAN, 0.95, 0.05, 0, 0, 0),
  /** Only reads. */
  C("100 % reads", Distribution.ZIPFIAN, 1, 0, 0, 0, 0),
  /** Reads of what was inserted last. */
  D("95 % reads, 5 % inserts", Distribution.LATEST, 0.95, 0, 0.05, 0, 0),
  /** Short scans. */
  E("95 % scans, 5 % inserts", Distribution.ZIPFIAN, 0, 0, 0.05, 0.95, 0),
  /** Read, modify, write. */
  F("50 % reads, 50 % read-modify-writes", Distribution.ZIPFIAN, 0.5, 0, 0, 0, 0.5);

  private final String mix;
  private final Distribution distribution;
  private final double reads;
  private final double updates;
  private final double inserts;
  private final double scans;
  private final double readModifyWrites;

  WorkloadChoice(
      String mix,
      Distribution distribution,
      double reads,
      double updates,
      double inserts,
      double scans,
      double readModifyWrites) {
    this.mix = mix;
    this.distribution = distribution;
    this.reads = reads;
    this.updates = updates;
    this.inserts = inserts;
    this.scans = scans;
    this.readModifyWrites = readModifyWrites;
  }

  /** The operations in words. */
  public String mix() {
    return mix;
  }

  /** The distribution that YCSB gives this workload. */
  public Distribution distribution() {
    return distribution;
  }

  double insertShare() {
    return inserts;
  }

  /** The part of each operation, by YCSB's name and always in the same order; together 1. */
  Map<String, Double> shares() {
    Map<String, Double> shares = new LinkedHashMap<>();
    shares.put("READ", reads);
    shares.put("UPDATE", updates);
    shares.put("INSERT", inserts);
    shares.put("SCAN", scans);
    shares.put("READMODIFYWRITE", readModifyWrites);
    return shares;
  }

  /** YCSB's own properties of the mix. */
  void putInto(Properties properties) {
    shares()
        .forEach(
            (operation, share) ->
                properties.setProperty(
                    operation.toLowerCase(Locale.ROOT) + "proportion", Double.toString(share)));
  }

  /** Which records the operations ask for. */
  public enum Distribution implements Labelled {
    /** Few records are hot, spread over the key space. */
    ZIPFIAN,
    /** All records alike. */
    UNIFORM,
    /** The newest records are hot. */
    LATEST
  }
}
