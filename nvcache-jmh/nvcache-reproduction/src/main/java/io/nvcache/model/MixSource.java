// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.load.ClientMix;
import io.nvcache.model.load.ClientStep;
import io.nvcache.model.load.Workload;
import io.nvcache.model.machine.Simulation;
import java.util.SplittableRandom;

/** Draws operations by a workload's shares. */
final class MixSource {
  private static final double DRIFT_WINDOW = 0.1;
  private static final double SECONDS_PER_ROUND = 3600;

  private final Workload workload;
  private final ClientMix group;
  private final Store store;
  private final Simulation simulation;
  private final int scale;
  private final SplittableRandom random;

  MixSource(
      Workload workload,
      ClientMix group,
      Store store,
      Simulation simulation,
      int scale,
      SplittableRandom random) {
    this.workload = workload;
    this.group = group;
    this.store = store;
    this.simulation = simulation;
    this.scale = scale;
    this.random = random;
  }

  /** Fills the next one in; an insert leaves the page to the store. */
  void next(ClientStep operation) {
    operation.pages = 1;
    double lot = random.nextDouble();
    if (lot < group.reads()) {
      operation.kind = ClientStep.Kind.READ;
      operation.page = readPage();
    } else if (lot < group.reads() + group.updates()) {
      operation.kind = ClientStep.Kind.UPDATE;
      operation.page = page();
    } else if (lot < group.reads() + group.updates() + group.inserts()) {
      operation.kind = ClientStep.Kind.INSERT;
    } else {
      operation.kind = ClientStep.Kind.SCAN;
      operation.page = page();
      int longest = Math.min(workload.scanPages(), store.file().pages() - operation.page);
      operation.pages = Math.min(longest, 1 + random.nextInt(workload.scanPages()));
    }
  }

  private int readPage() {
    if (workload.driftShare() == 0 || random.nextDouble() >= workload.driftShare()) {
      return page();
    }
    double start = simulation.nowSeconds() * scale / SECONDS_PER_ROUND;
    double at = start + DRIFT_WINDOW * random.nextDouble();
    return (int) ((at - Math.floor(at)) * store.file().pages());
  }

  private int page() {
    return workload.keys().page(random.nextDouble(), store.file().pages());
  }
}
