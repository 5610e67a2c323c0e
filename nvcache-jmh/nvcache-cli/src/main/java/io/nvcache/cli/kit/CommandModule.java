// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.progress.StopSignal;
import java.util.List;
import picocli.CommandLine;

/** Adds commands to the program. Providers are found by {@link java.util.ServiceLoader}. */
public interface CommandModule {
  /**
   * Returns the commands, new at each call.
   *
   * @param stop is requested when the program is interrupted
   */
  List<CommandLine> commands(StopSignal stop);
}
