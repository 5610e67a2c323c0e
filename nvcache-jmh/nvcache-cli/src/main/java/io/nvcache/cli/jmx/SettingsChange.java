// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.remote.RemoteCache;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sets several attributes of a cache, all of them or none: only the cache itself knows what it
 * takes, so what was set before a refused one is set back.
 */
final class SettingsChange {
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
