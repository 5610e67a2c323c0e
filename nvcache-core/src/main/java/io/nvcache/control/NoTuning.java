// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

/** The tuning of a cache that can't tune itself. */
enum NoTuning implements Tuning {
  INSTANCE;

  @Override
  public void start(TuningBounds bounds) {
    throw new IllegalArgumentException("this cache does not tune itself");
  }

  @Override
  public void stop() {}

  @Override
  public TuningReport report() {
    return TuningReport.OFF;
  }
}
