// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Commands of the system that tell or do what Java can't. */
final class SystemCommands {
  private SystemCommands() {}

  /** Returns what a file takes on its disk. */
  static long allocatedBytes(Path file) throws Exception {
    return Long.parseLong(run("stat", "-c", "%b", file.toString())) * 512;
  }

  /** Returns what a command printed, which has to succeed. */
  static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.strip();
  }
}
