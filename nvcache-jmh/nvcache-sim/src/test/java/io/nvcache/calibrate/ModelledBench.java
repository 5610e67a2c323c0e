// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.calibrate.Bench.Throughput;
import io.nvcache.device.DeviceParameters;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/** A device that behaves exactly as a model says, apart from some noise. */
final class ModelledBench implements Bench {
  private final String label;
  private final DeviceParameters device;
  private final double noise;
  private final SplittableRandom random;
  private int measurements;
  private boolean filled;

  ModelledBench(String label, DeviceParameters device, double noise, long seed) {
    this.label = label;
    this.device = device;
    this.noise = noise;
    this.random = new SplittableRandom(seed);
  }

  int measurements() {
    return measurements;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public String describe() {
    return "a model";
  }

  @Override
  public void fill() {
    filled = true;
  }

  @Override
  public Throughput measure(Point point, long nanos) {
    if (!filled || nanos <= 0) {
      throw new IllegalStateException("not filled, or no time");
    }
    measurements++;
    return new Throughput(
        noisy(device.allReaders(point.readers(), point.writers())),
        noisy(device.allWriters(point.readers(), point.writers())));
  }

  private double noisy(double value) {
    return value * (1 + noise * (2 * random.nextDouble() - 1));
  }

  @Override
  public void measureLatency(int writers, long nanos, Histogram durations) {
    durations.recordValueWithCount(200L * (1 + writers), 99);
    durations.recordValueWithCount(5000L * (1 + writers), 1);
  }
}
