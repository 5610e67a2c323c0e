// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.cli.kit.OptionReader;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.nvcache.device.MediumChoice;
import io.nvcache.progress.StopSignal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Command lines: understood, or refused in one line; nothing else. */
final class CliFuzzTest {
  private static final String[] WORDS = {
    "ycsb",
    "trace",
    "convert",
    "calibrate",
    "stress",
    "wipe",
    "help",
    "--help",
    "--medium",
    "native",
    "--seed",
    "--size",
    "1GiB",
    "--json",
    "=",
    "--",
    "@file",
    "-1",
    "10%",
    "--faults",
    "all"
  };

  private static final CommandLine CLI = NvCacheCli.commandLine(new StopSignal());

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void arguments(FuzzedDataProvider data) {
    List<String> arguments = new ArrayList<>();
    while (data.remainingBytes() > 0 && arguments.size() < 12) {
      arguments.add(data.consumeBoolean() ? data.pickValue(WORDS) : data.consumeString(20));
    }
    arguments.removeIf(argument -> argument.startsWith("@")); // Would read files.
    try {
      CLI.parseArgs(arguments.toArray(String[]::new));
    } catch (ParameterException e) {
      explained(e);
    }
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void values(FuzzedDataProvider data) {
    OptionReader reader = new OptionReader(CLI);
    int kind = data.consumeInt(0, 5);
    String text = data.consumeRemainingAsString();
    try {
      switch (kind) {
        case 0 -> reader.wholeNumber("--o", text, -5, 1_000_000_000_000L);
        case 1 -> reader.decimal("--o", text, 0, 1e9);
        case 2 -> reader.percentage("--o", text, 0, 100);
        case 3 -> reader.size("--o", text, 1, 1L << 50);
        case 4 -> reader.sizeOfData("--o", text, 1L << 40, 1, 1L << 50);
        default -> reader.listOf("--o", text, MediumChoice.values(), MediumChoice::label);
      }
    } catch (ParameterException e) {
      explained(e);
    }
  }

  private static void explained(ParameterException e) {
    if (e.getMessage() == null || e.getMessage().isBlank()) {
      throw new AssertionError("not a word", e);
    }
  }
}
