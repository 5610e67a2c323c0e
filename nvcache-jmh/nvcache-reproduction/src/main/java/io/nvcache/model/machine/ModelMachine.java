// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import io.nvcache.device.DeviceParameters;
import java.util.List;

/** The devices of one run. */
public final class ModelMachine {
  private final ModelParameters parameters;
  private final Simulation simulation = new Simulation();
  private final Device processors;
  private final Device disk;
  private final Device nvram;

  public ModelMachine(ModelParameters parameters, DeviceParameters medium) {
    this.parameters = parameters;
    double cores = parameters.cores();
    this.processors =
        new Device(simulation, (line, jobs, none) -> jobs <= cores ? 1 : cores / jobs);
    this.disk =
        new Device(
            simulation,
            (line, readers, writers) ->
                (line == 0
                        ? parameters.ssdReadBytesPerSecond()
                        : parameters.ssdWriteBytesPerSecond())
                    / (readers + writers));
    this.nvram = new Device(simulation, new NvramRates(medium), parameters.hardwareThreads());
  }

  public ModelParameters parameters() {
    return parameters;
  }

  public Simulation simulation() {
    return simulation;
  }

  public Device processors() {
    return processors;
  }

  public Device disk() {
    return disk;
  }

  public Device nvram() {
    return nvram;
  }

  /** Runs all that was started. */
  public void run(double endSeconds) {
    simulation.run(List.of(processors, disk, nvram), endSeconds);
  }

  /** Charges processor time. */
  public void compute(Activity activity, double seconds) {
    activity.pay(processors.first(), seconds);
  }

  /** Charges a read of one block from the disk. */
  public void readDisk(Activity activity) {
    activity.pay(simulation.delay(), parameters.ssdLatencySeconds());
    activity.pay(disk.first(), parameters.blockBytes());
    compute(activity, parameters.ssdIoSeconds());
  }

  /** Charges a write of one block to the disk. */
  public void writeDisk(Activity activity) {
    compute(activity, parameters.ssdIoSeconds());
    activity.pay(simulation.delay(), parameters.ssdLatencySeconds());
    activity.pay(disk.second(), parameters.blockBytes());
  }

  public void readNvram(Activity activity, double bytes) {
    activity.pay(nvram.first(), bytes);
  }

  public void writeNvram(Activity activity, double bytes) {
    activity.pay(nvram.second(), bytes);
  }

  /** The rates of docs/evidence/benchmarks.md's device, without its powers in the inner loop. */
  static final class NvramRates implements Device.Rates {
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
}
