// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.remote.RemoteCache;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.MBeanAttributeInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code jmx set}: live settings of a cache. */
@Command(
    name = "set",
    description = {
      "Changes live settings of a cache, all of them or none: if one is out of its range, those before"
          + " it on the command line are set back.",
      "Percentages may have a %% sign, sizes a unit: OverheadTargetPercent=5%%,"
          + " WriteLimitBytesPerSecond=200MiB."
    })
public final class JmxSetCommand extends JmxAction {
  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "ATTRIBUTE=VALUE",
      description = "What to set, and to what.")
  private List<String> assignments = List.of();

  @Override
  void run(RemoteCache cache) throws IOException {
    new SettingsChange(cache).make(parse(cache), out()::println);
  }

  /** All of them, before anything is set. */
  private Map<String, Object> parse(RemoteCache cache) throws IOException {
    Map<String, MBeanAttributeInfo> known = cache.attributes();
    Map<String, Object> values = new LinkedHashMap<>();
    for (String assignment : assignments) {
      int equals = assignment.indexOf('=');
      if (equals < 1) {
        throw bad("'" + assignment + "' is not of the form ATTRIBUTE=VALUE");
      }
      MBeanAttributeInfo attribute = known.get(assignment.substring(0, equals));
      if (attribute == null || !attribute.isWritable()) {
        throw bad(
            assignment.substring(0, equals)
                + " is no live setting; those are "
                + String.join(", ", writable(known)));
      }
      try {
        values.put(
            attribute.getName(), AttributeText.parse(attribute, assignment.substring(equals + 1)));
      } catch (IllegalArgumentException e) {
        throw bad(String.valueOf(e.getMessage()));
      }
    }
    return values;
  }

  private static List<String> writable(Map<String, MBeanAttributeInfo> known) {
    return known.values().stream()
        .filter(MBeanAttributeInfo::isWritable)
        .map(MBeanAttributeInfo::getName)
        .toList();
  }

  private ParameterException bad(String message) {
    return new ParameterException(command(), message);
  }
}
