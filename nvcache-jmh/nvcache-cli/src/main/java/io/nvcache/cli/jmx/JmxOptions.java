// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.remote.RemoteCache;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which process, and which of its caches. */
final class JmxOptions {
  @Mixin private final JmxProcess process = new JmxProcess();

  @Option(
      names = "--cache",
      paramLabel = "NAME",
      defaultValue = "",
      description = "The cache, by its name or its bean's; not needed if there is only one.")
  private String cache = "";

  /** The process as it was named. */
  String process() {
    return process.process();
  }

  JMXConnector connect(CommandLine command) throws IOException {
    return process.connect(command);
  }

  /** The cache that was asked for, or the only one. */
  RemoteCache choose(CommandLine command, MBeanServerConnection server) throws IOException {
    List<RemoteCache> caches = RemoteCache.all(server);
    if (caches.isEmpty()) {
      throw new IOException(
          "process " + process() + " shows no cache; was one built with registerMBean(name)?");
    }
    String names = caches.stream().map(RemoteCache::cacheName).collect(Collectors.joining(", "));
    if (cache.isEmpty() && caches.size() > 1) {
      throw new ParameterException(command, "choose one with --cache; there are " + names);
    }
    return RemoteCache.named(caches, cache)
        .orElseThrow(
            () ->
                new ParameterException(
                    command, "no cache is named '" + cache + "'; there are " + names));
  }
}
