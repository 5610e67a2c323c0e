// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.remote.JmxAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Which process, and who asks. */
final class JmxProcess {
  @Parameters(
      index = "0",
      paramLabel = "PROCESS",
      description = "A process id on this machine, HOST:PORT of a JMX registry, or a JMX URL.")
  private String process = "";

  @Option(names = "--user", paramLabel = "NAME", description = "The user to log in as.")
  private @Nullable String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "A file whose first line is the user's password.")
  private @Nullable Path passwordFile;

  /** The process as it was named. */
  String process() {
    return process;
  }

  JMXConnector connect(CommandLine command) throws IOException {
    try {
      return JmxAddress.parse(process).connect(credentials(command));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()), e);
    }
  }

  private Map<String, ?> credentials(CommandLine command) throws IOException {
    if ((user == null) != (passwordFile == null)) {
      throw new ParameterException(command, "--user and --password-file go together");
    }
    if (user == null || passwordFile == null) {
      return Map.of();
    }
    List<String> lines = Files.readAllLines(passwordFile);
    if (lines.isEmpty()) {
      throw new ParameterException(command, "--password-file " + passwordFile + " is empty");
    }
    return Map.of(JMXConnector.CREDENTIALS, new String[] {user, lines.get(0)});
  }
}
