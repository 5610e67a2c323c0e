// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * One client: starts an operation when the one before is done. Only {@link #operations} may be
 * called by another thread while {@link #run} runs.
 */
public final class Client {
  private final SeededWorkload workload;
  private final MeasuredDb db;
  private final SplittableRandom random;
  private final AtomicLong operations = new AtomicLong();

  Client(SeededWorkload workload, MeasuredDb db, SplittableRandom random) {
    this.workload = workload;
    this.db = db;
    this.random = random;
  }

  /**
   * Runs operations.
   *
   * @param mayGoOn is asked before each one with the number done in this call
   */
  void run(LongPredicate mayGoOn) {
    workload.drawFrom(random);
    long before = operations.get();
    for (long done = 0; mayGoOn.test(done); ) {
      workload.doTransaction(db, null);
      done++;
      // Only this thread writes it: a store without a fence is enough for the curves.
      operations.lazySet(before + done);
    }
  }

  long operations() {
    return operations.get();
  }

  MeasuredDb db() {
    return db;
  }
}
