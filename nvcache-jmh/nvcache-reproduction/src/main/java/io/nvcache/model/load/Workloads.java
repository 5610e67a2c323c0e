// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.load;

import java.util.List;

/**
 * The loads of SoCC '22: Tables 2 and 3, and small ones for Fig. 4. WiredTiger's configuration of
 * the in-house loads is public (bench/wtperf); what the paper does not tell of them is said here.
 */
public final class Workloads {
  private static final double MINUTES_OF_A_RUN = 60;

  /** Up to a hundred records of 1 KB. */
  private static final int SCAN_PAGES = 4;

  /** 16 readers of 120 GB. */
  public static final Workload EVICT_BTREE = inHouse("evict-btree", 120, 28, readers(16));

  /** The same load, as the paper has it in its tables. */
  public static final Workload MEDIUM_BTREE = inHouse("medium-btree", 120, 28, readers(16));

  /**
   * 430 threads, most of them readers; inserts and updates are kept at a constant rate, of which
   * 400 GB written, 250 of them before the run or by inserts, tell: about 1250 updates a second.
   * The paper gives the size at the end of the run, 250 GB, of which the inserts are about 20.
   */
  public static final Workload EVICT_BTREE_SCAN =
      inHouse(
          "evict-btree-scan",
          230,
          28,
          ClientMix.of(400, 1, 0, 0, 0),
          new ClientMix(20, 0, 0, 1, 0, 5000),
          new ClientMix(10, 0, 1, 0, 0, 1250));

  /** A page cache of 1 GB, so that each update rewrites a block soon. */
  public static final Workload STRESS_MULTI =
      inHouse("evict-bt-stress-multi", 250, 1, mix(100, 0.8, 0.2));

  /** Half reads, half updates, for two hours. */
  public static final Workload BTREE_50R50U =
      inHouse("500m-btree-50r50u", 163, 28, mix(20, 0.5, 0.5)).lasting(120);

  /** Half reads, half updates. */
  public static final Workload OVERFLOW = inHouse("overflow-130k", 253, 21, mix(20, 0.5, 0.5));

  /** Updates only. */
  public static final Workload CHKPT_STRESS = inHouse("chkpt-stress", 134, 28, mix(6, 0, 1));

  /** Inserts, and a few reads and updates. */
  public static final Workload UPDATE_CHKPT =
      inHouse("update-chkpt-btree", 185, 25, ClientMix.of(5, 0.05, 0.05, 0.9, 0));

  /** Updates only. */
  public static final Workload UPDATE_DELTA = inHouse("update-delta-mix1", 125, 20, mix(6, 0, 1));

  /** Updates, and inserts at a constant rate. */
  public static final Workload UPDATE_GROW =
      inHouse("update-grow-stress", 190, 20, mix(4, 0, 1), new ClientMix(1, 0, 0, 1, 0, 200));

  /** YCSB-A. */
  public static final Workload A = ycsb("A", 130, ClientMix.of(20, 0.5, 0.5, 0, 0));

  /** YCSB-B; Table 3 has a slip, it is 95/5. */
  public static final Workload B = ycsb("B", 194, ClientMix.of(20, 0.95, 0.05, 0, 0));

  /** YCSB-C. */
  public static final Workload C = ycsb("C", 259, ClientMix.of(20, 1, 0, 0, 0));

  /** YCSB-D. */
  public static final Workload D =
      ycsb("D", 219, ClientMix.of(100, 0.95, 0, 0.05, 0)).with(KeyDistribution.LATEST);

  /** YCSB-E. */
  public static final Workload E = ycsb("E", 210, ClientMix.of(20, 0, 0, 0.05, 0.95));

  private Workloads() {}

  /** YCSB-A to E. */
  public static List<Workload> ycsb() {
    return List.of(A, B, C, D, E);
  }

  /** Those of Table 2, in its order. */
  public static List<Workload> table2() {
    return List.of(
        BTREE_50R50U,
        CHKPT_STRESS,
        STRESS_MULTI,
        EVICT_BTREE,
        EVICT_BTREE_SCAN,
        MEDIUM_BTREE,
        OVERFLOW,
        UPDATE_CHKPT,
        UPDATE_DELTA,
        UPDATE_GROW);
  }

  private static ClientMix readers(int threads) {
    return ClientMix.of(threads, 1, 0, 0, 0);
  }

  private static ClientMix mix(int threads, double reads, double updates) {
    return ClientMix.of(threads, reads, updates, 0, 0);
  }

  private static Workload inHouse(
      String name, double dataGb, double pageCacheGb, ClientMix... groups) {
    return new Workload(
        name,
        List.of(groups),
        KeyDistribution.UNIFORM,
        0,
        dataGb,
        pageCacheGb,
        MINUTES_OF_A_RUN,
        1);
  }

  private static Workload ycsb(String name, double dataGb, ClientMix group) {
    return new Workload(
        name, List.of(group), KeyDistribution.PARETO, 0, dataGb, 0, MINUTES_OF_A_RUN, SCAN_PAGES);
  }
}
