// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.VerboseOption;
import io.nvcache.remote.RemoteCache;
import io.nvcache.remote.RemoteText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import javax.management.MBeanAttributeInfo;
import javax.management.remote.JMXConnector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jmx list}: which caches there are, and what can be read and set. */
@Command(
    name = "list",
    description = "Lists the caches of a process with their level, hit ratio and conditions.")
public final class JmxListCommand extends Action {
  @Mixin private final JmxOptions options = new JmxOptions();

  @SuppressWarnings("UnusedVariable") // picocli reads it.
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

  @Option(
      names = "--attributes",
      description = "List the attributes with their meaning instead, and * where they can be set.")
  private boolean attributes;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = out();
    try (JMXConnector connector = options.connect(command())) {
      if (attributes) {
        RemoteCache cache = options.choose(command(), connector.getMBeanServerConnection());
        for (MBeanAttributeInfo attribute : cache.attributes().values()) {
          out.printf(
              "%s %-28s %s%n",
              attribute.isWritable() ? "*" : " ",
              RemoteText.of(attribute.getName()),
              RemoteText.of(attribute.getDescription()));
        }
      } else {
        print(RemoteCache.all(connector.getMBeanServerConnection()), out);
      }
    }
    out.flush();
    return 0;
  }

  private static void print(List<RemoteCache> caches, PrintWriter out) throws IOException {
    for (RemoteCache cache : caches) {
      out.printf(
          "%s%n  %s blocks, %.1f %% of %s bytes, hit ratio %.1f %%, overhead target %s %%%s%n",
          RemoteText.of(cache.objectName().toString()),
          cache.get("Blocks"),
          (double) cache.get("UsedPercent"),
          cache.get("CapacityBytes"),
          (double) cache.get("HitRatioPercent"),
          cache.get("OverheadTargetPercent"),
          conditions(AttributeText.of(cache.get("Conditions"))));
    }
    if (caches.isEmpty()) {
      out.println("no caches");
    }
  }

  private static String conditions(String text) {
    return text.isEmpty() ? "" : "\n  " + text;
  }
}
