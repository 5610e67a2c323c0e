// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import io.nvcache.device.DeviceParameters;

/** Readers and writers that do nothing else, on a modelled medium: SoCC '22, Figs. 1 and 2. */
public final class DeviceRun {
  private static final double SECONDS = 0.5;
  private static final double BYTES = 1 << 20;

  private DeviceRun() {}

  /**
   * Bytes a second.
   *
   * @param reads of all readers together
   * @param writes of all writers together
   */
  public record Bandwidth(double reads, double writes) {}

  /** What so many readers and writers get. */
  public static Bandwidth measure(DeviceParameters medium, int readers, int writers) {
    ModelMachine machine = new ModelMachine(ModelParameters.PAPER, medium);
    Device.Line reads = machine.nvram().first();
    Device.Line writes = machine.nvram().second();
    for (int i = 0; i < readers + writers; i++) {
      Station station = i < readers ? reads : writes;
      new Activity() {
        @Override
        protected void proceed() {
          pay(station, BYTES);
        }
      }.resume();
    }
    machine.run(SECONDS);
    return new Bandwidth(reads.total() / SECONDS, writes.total() / SECONDS);
  }
}
