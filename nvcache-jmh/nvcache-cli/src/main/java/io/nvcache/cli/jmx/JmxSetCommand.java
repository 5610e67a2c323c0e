// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.remote.RemoteCache;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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

  /**
   * Sets several attributes of a cache, all of them or none: only the cache itself knows what it
   * takes, so what was set before a refused one is set back.
   */
  private static final class SettingsChange {
    private final RemoteCache cache;
    private final Deque<Made> made = new ArrayDeque<>();

    private record Made(String attribute, Object before) {}

    SettingsChange(RemoteCache cache) {
      this.cache = cache;
    }

    /**
     * Sets them in order.
     *
     * @param report gets a line for each when all are set
     * @throws IllegalArgumentException if the cache refuses one; says what was set back
     */
    void make(Map<String, Object> wanted, Consumer<String> report) throws IOException {
      List<String> lines = new ArrayList<>();
      for (Map.Entry<String, Object> each : wanted.entrySet()) {
        String attribute = each.getKey();
        Object before = cache.get(attribute);
        try {
          cache.set(attribute, each.getValue());
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(e.getMessage() + setBack(), e);
        }
        made.push(new Made(attribute, before));
        lines.add(
            attribute
                + ": "
                + AttributeText.of(before)
                + " -> "
                + AttributeText.of(cache.get(attribute)));
      }
      lines.forEach(report);
    }

    /** The last one first, since a later one may rest on an earlier one. */
    private String setBack() throws IOException {
      StringBuilder line = new StringBuilder();
      while (!made.isEmpty()) {
        Made last = made.pop();
        try {
          cache.set(last.attribute, last.before);
        } catch (IllegalArgumentException e) {
          line.append("; ")
              .append(last.attribute)
              .append(" could not be set back: ")
              .append(e.getMessage());
          continue;
        }
        line.append("; ")
            .append(last.attribute)
            .append(" is set back to ")
            .append(AttributeText.of(cache.get(last.attribute)));
      }
      return line.toString();
    }
  }
}
