// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.VerboseOption;
import io.nvcache.remote.RemoteCache;
import java.io.IOException;
import javax.management.remote.JMXConnector;
import picocli.CommandLine.Mixin;

/** A command on one cache of a process. */
abstract class JmxAction extends Action {
  @Mixin private final JmxOptions options = new JmxOptions();

  @SuppressWarnings("UnusedVariable") // picocli reads it.
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

  @Override
  public final Integer call() throws IOException {
    checkOptions();
    try (JMXConnector connector = options.connect(command())) {
      run(options.choose(command(), connector.getMBeanServerConnection()));
    } finally {
      out().flush();
    }
    return 0;
  }

  /** Refuses what contradicts itself, before the process is asked. */
  void checkOptions() {}

  /** Does it. */
  abstract void run(RemoteCache cache) throws IOException;
}
