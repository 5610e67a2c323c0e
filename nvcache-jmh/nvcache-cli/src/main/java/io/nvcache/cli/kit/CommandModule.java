// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.progress.StopSignal;
import java.util.List;
import picocli.CommandLine;

/**
 * Adds commands to the program. Providers are found by {@link java.util.ServiceLoader}. A command
 * is created only for a command line that names it, so that listing all of them stays quick. Of a
 * command that several modules name, this one has what is below it added to the first one's.
 */
public interface CommandModule {
  /** Returns the names of the commands. */
  List<String> names();

  /**
   * Creates a command, new at each call.
   *
   * @param name one of {@link #names}
   * @param stop is requested when the program is interrupted
   * @throws IllegalArgumentException if there is no such command
   */
  CommandLine create(String name, StopSignal stop);
}
