// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.cli.kit.VerboseOption;
import io.nvcache.cli.kit.Version;
import io.nvcache.remote.RemoteCache;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.management.remote.JMXConnector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code jmx get}: attributes of a cache. */
@Command(
    name = "get",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = "Prints attributes of a cache, all of them if none is named.")
public final class JmxGetCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  @Mixin private final JmxOptions options = new JmxOptions();

  @SuppressWarnings("UnusedVariable") // picocli reads it.
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ATTRIBUTE",
      description = "The attributes to print.")
  private List<String> names = List.of();

  @Override
  public Integer call() throws IOException {
    try (JMXConnector connector = options.connect(spec.commandLine())) {
      RemoteCache cache = options.choose(spec.commandLine(), connector.getMBeanServerConnection());
      Set<String> known = cache.attributes().keySet();
      check(known);
      for (String name : names.isEmpty() ? new ArrayList<>(known) : names) {
        print(name, cache.get(name));
      }
    }
    spec.commandLine().getOut().flush();
    return 0;
  }

  private void check(Set<String> known) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "there is no attribute " + name + "; jmx list --attributes has them");
      }
    }
  }

  private void print(String name, Object value) {
    PrintWriter out = spec.commandLine().getOut();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, entry) -> out.println(name + "." + key + " " + entry));
    } else {
      out.println(name + " " + AttributeText.of(value));
    }
  }
}
