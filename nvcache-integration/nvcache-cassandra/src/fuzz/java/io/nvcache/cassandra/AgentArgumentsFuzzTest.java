// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.nvcache.cassandra.settings.AgentArguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The agent's arguments and the file that they name: settings, or a reason why not. */
final class AgentArgumentsFuzzTest {
  private static @Nullable Path file;

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void arguments(FuzzedDataProvider data) {
    String text = data.consumeRemainingAsString();
    if (text.contains("=") && !text.contains("config")) { // Would read files of this machine.
      parse(text, "");
    }
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void file(FuzzedDataProvider data) throws IOException {
    Path written = Files.write(file(), data.consumeRemainingAsBytes());
    parse("config=" + written, written.toString());
  }

  /** One for all runs, since making and deleting it took longer than reading it. */
  private static Path file() throws IOException {
    if (file == null) {
      file = Files.createTempFile("agent", ".properties");
      file.toFile().deleteOnExit();
    }
    return file;
  }

  private static void parse(String arguments, String named) {
    try {
      if (AgentArguments.parse(arguments).containsKey("config")) {
        throw new AssertionError("where the settings are is no setting of the cache");
      }
    } catch (IllegalArgumentException e) {
      if (e.getMessage() == null || e.getMessage().isBlank() || !e.getMessage().contains(named)) {
        throw new AssertionError("says not what is wrong", e);
      }
    }
  }
}
