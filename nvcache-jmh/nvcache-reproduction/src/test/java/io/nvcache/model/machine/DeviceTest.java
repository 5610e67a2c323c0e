// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.model.machine.ModelMachine.NvramRates;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceTest {
  private final Simulation simulation = new Simulation();
  private final List<String> ends = new ArrayList<>();

  /** Starts after a while and does one job. */
  private final class Job extends Activity {
    private final String name;
    private final Station station;
    private final double start;
    private final double amount;
    private int step;

    Job(String name, Station station, double start, double amount) {
      this.name = name;
      this.station = station;
      this.start = start;
      this.amount = amount;
    }

    @Override
    public void proceed() {
      if (step++ == 0) {
        pay(simulation.delay(), start);
        pay(station, amount);
      } else {
        ends.add(String.format("%s@%.3f", name, simulation.nowSeconds()));
        end();
      }
    }
  }

  @Test
  void shouldShareItsSpeedAmongJobsPresentAtTheSameTime() {
    Device device = new Device(simulation, (line, jobs, none) -> 1.0 / jobs);

    new Job("a", device.first(), 0.001, 2).resume();
    new Job("b", device.first(), 1.001, 2).resume();
    simulation.run(List.of(device), 10);

    assertThat(ends).containsExactly("a@3.001", "b@4.001");
    assertThat(device.busySeconds()).isCloseTo(4, within(1e-9));
    assertThat(device.jobSeconds()).isCloseTo(6, within(1e-9));
    assertThat(device.first().total()).isEqualTo(4);
  }

  @Test
  void shouldLetJobsWaitForAPlace() {
    Device device = new Device(simulation, (line, first, second) -> 1, 1);

    new Job("a", device.first(), 0, 2).resume();
    new Job("b", device.second(), 0.5, 1).resume();
    new Job("c", device.first(), 0.6, 1).resume();
    simulation.run(List.of(device), 10);

    assertThat(ends).containsExactly("a@2.000", "b@3.000", "c@4.000");
    assertThat(device.jobSeconds()).isCloseTo(2 + 2.5 + 3.4, within(1e-9));
  }

  @Test
  void shouldGiveReadersWhatThePaperMeasured() {
    NvramRates rates = new NvramRates(ModelParameters.PAPER.nvram());

    assertThat(8 * rates.of(0, 8, 0)).isCloseTo(12e9, within(1e7));
    assertThat(8 * rates.of(0, 8, 1)).isCloseTo(3.4e9, within(0.1e9));
    assertThat(8 * rates.of(0, 8, 8)).isCloseTo(0.8e9, within(0.05e9));
    assertThat(ModelParameters.PAPER.dramReadShare(1)).isCloseTo(0.82, within(0.005));
    assertThat(ModelParameters.PAPER.dramReadShare(8)).isCloseTo(0.65, within(0.005));
  }
}
