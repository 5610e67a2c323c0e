// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.cli;

import io.nvcache.cli.kit.CommandModule;
import io.nvcache.progress.StopSignal;
import java.util.List;
import picocli.CommandLine;

/** Adds the command {@code ycsb}. */
public final class YcsbCommands implements CommandModule {
  @Override
  public List<String> names() {
    return List.of("ycsb");
  }

  @Override
  public CommandLine create(String name, StopSignal stop) {
    if (!name.equals("ycsb")) {
      throw new IllegalArgumentException("no command '" + name + "'");
    }
    return new CommandLine(new YcsbCommand(stop));
  }
}
