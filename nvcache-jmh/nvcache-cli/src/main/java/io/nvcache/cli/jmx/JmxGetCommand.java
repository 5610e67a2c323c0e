// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.remote.RemoteCache;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code jmx get}: attributes of a cache. */
@Command(name = "get", description = "Prints attributes of a cache, all of them if none is named.")
public final class JmxGetCommand extends JmxAction {
  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ATTRIBUTE",
      description = "The attributes to print.")
  private List<String> names = List.of();

  @Override
  void run(RemoteCache cache) throws IOException {
    Set<String> known = cache.attributes().keySet();
    check(known);
    for (String name : names.isEmpty() ? new ArrayList<>(known) : names) {
      print(name, cache.get(name));
    }
  }

  private void check(Set<String> known) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw new ParameterException(
            command(), "there is no attribute " + name + "; jmx list --attributes has them");
      }
    }
  }

  private void print(String name, Object value) {
    PrintWriter out = out();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, entry) -> out.println(name + "." + key + " " + entry));
    } else {
      out.println(name + " " + AttributeText.of(value));
    }
  }
}
