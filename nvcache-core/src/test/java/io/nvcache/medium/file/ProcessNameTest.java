// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class ProcessNameTest {
  private static final ProcessName OWN = ProcessName.own();

  private static ProcessName named(long pid, long startTicks) {
    return new ProcessName(OWN.bootHigh(), OWN.bootLow(), OWN.namespace(), pid, startTicks);
  }

  private static long startTicks(long pid) throws Exception {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
  }

  @Test
  void shouldTellWhetherAProcessRuns() throws Exception {
    assertThat(OWN.life()).isEqualTo(ProcessName.Life.OWN);
    Process child = new ProcessBuilder("sleep", "60").start();
    long started = startTicks(child.pid());
    assertThat(named(child.pid(), started).life()).isEqualTo(ProcessName.Life.RUNNING);
    assertThat(named(child.pid(), started - 1).life())
        .as("an earlier one that had this id")
        .isEqualTo(ProcessName.Life.ENDED);
    child.destroyForcibly().waitFor();
    assertThat(named(child.pid(), started).life()).isEqualTo(ProcessName.Life.ENDED);
  }

  /** Its parent need not ask how it ended. */
  @Test
  void shouldTellThatAKilledProcessHasEnded() throws Exception {
    Process shell = new ProcessBuilder("sh", "-c", "sleep 60 & echo $!; exec sleep 60").start();
    try {
      long pid = Long.parseLong(shell.inputReader().readLine());
      long started = startTicks(pid);
      ProcessHandle.of(pid).orElseThrow().destroyForcibly();
      while (!Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z")) {
        Thread.onSpinWait();
      }
      assertThat(named(pid, started).life()).isEqualTo(ProcessName.Life.ENDED);
    } finally {
      shell.destroyForcibly();
    }
  }

  @Test
  void shouldNotGuessAboutProcessesItCannotSee() {
    ProcessName elsewhere = new ProcessName(1, 2, OWN.namespace(), 1, 1);
    ProcessName contained =
        new ProcessName(OWN.bootHigh(), OWN.bootLow(), OWN.namespace() + 1, 1, 1);
    ProcessName nowhere = new ProcessName(0, 0, 0, 1, 0);
    for (ProcessName hidden : new ProcessName[] {elsewhere, contained, nowhere}) {
      assertThat(hidden.life()).isEqualTo(ProcessName.Life.UNKNOWN);
    }
  }
}
