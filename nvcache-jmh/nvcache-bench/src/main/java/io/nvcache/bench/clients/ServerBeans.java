// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the pages of a region server show of its JVM's beans.
 *
 * @param port of the pages
 */
public record ServerBeans(int port) {
  /** Returns, as JSON, what the beans of a name or of a pattern show at the moment. */
  public String show(String name) throws IOException {
    URI address = URI.create("http://localhost:" + port + "/jmx?qry=" + name);
    try (InputStream in = address.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Returns a number that beans show.
   *
   * @throws IllegalStateException if there is none: a zero would pass for a server that reads no
   *     files
   */
  public static long number(String shown, String attribute) {
    Matcher matcher = pattern(attribute).matcher(shown);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + attribute + " in the server's beans: " + shown);
    }
    return Long.parseLong(matcher.group(1));
  }

  /** Returns the sum of a number over the beans that have it. */
  static long sum(String shown, String attribute) {
    return pattern(attribute)
        .matcher(shown)
        .results()
        .mapToLong(result -> Long.parseLong(result.group(1)))
        .sum();
  }

  private static Pattern pattern(String attribute) {
    return Pattern.compile("\"" + attribute + "\"\\s*:\\s*(-?\\d+)");
  }
}
