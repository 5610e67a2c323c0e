// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.util.List;

/** The shadows of a cache that keeps none. */
enum NoShadows implements Shadows {
  INSTANCE;

  @Override
  public double sampleRatio() {
    return 0;
  }

  @Override
  public void setSampleRatio(double ratio) {
    if (ratio != 0) {
      throw new IllegalArgumentException("this cache keeps no shadows");
    }
  }

  @Override
  public void chooseSampleRatio() {
    throw new IllegalArgumentException("this cache keeps no shadows");
  }

  @Override
  public List<String> candidates() {
    return List.of();
  }

  @Override
  public void setCandidates(List<String> specs) {
    if (!specs.isEmpty()) {
      throw new IllegalArgumentException("this cache keeps no shadows");
    }
  }

  @Override
  public ShadowReport report() {
    return ShadowReport.OFF;
  }

  @Override
  public void reset() {}
}
