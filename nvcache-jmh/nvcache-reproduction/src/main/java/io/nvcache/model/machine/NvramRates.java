// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import io.nvcache.calibrate.DeviceParameters;

/** The rates of docs/evidence/benchmarks.md's device, without its powers in the inner loop. */
final class NvramRates implements Device.Rates {
  private static final int TABULATED = 2048;

  private final DeviceParameters device;
  private final double[] secondsOfWriters = new double[TABULATED];

  NvramRates(DeviceParameters device) {
    this.device = device;
    for (int writers = 1; writers < TABULATED; writers++) {
      secondsOfWriters[writers] = writers / device.allWriters(0, writers);
    }
  }

  @Override
  public double of(int line, int readers, int writers) {
    double reading = readers / device.readBandwidth();
    double writing = secondsOfWriters[Math.min(writers, TABULATED - 1)];
    if (line == 0) {
      double queue = reading + device.readsSlowedByWrites() * writing;
      return Math.min(device.readerBandwidth(), 1 / queue);
    }
    return 1 / (device.writesSlowedByReads() * reading + writing);
  }
}
