// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.cli.kit.ByteSize;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.management.MBeanAttributeInfo;

/** Values of JMX attributes as texts, there and back. */
final class AttributeText {
  private AttributeText() {}

  static String of(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> entry.getKey() + "=" + entry.getValue())
          .collect(Collectors.joining(", "));
    }
    return value instanceof Object[] array
        ? Arrays.stream(array).map(String::valueOf).collect(Collectors.joining("; "))
        : String.valueOf(value);
  }

  /**
   * The value to set an attribute to: numbers as the attribute has them, a percent sign allowed
   * where it is in percent and a unit where it is in bytes; texts as they are; lists with
   * semicolons.
   *
   * @throws IllegalArgumentException if the text is no such value
   */
  static Object parse(MBeanAttributeInfo attribute, String text) {
    String name = attribute.getName();
    String wanted = text.strip();
    try {
      return switch (attribute.getType()) {
        case "double" ->
            Double.parseDouble(
                name.endsWith("Percent") && wanted.endsWith("%")
                    ? wanted.substring(0, wanted.length() - 1)
                    : wanted);
        case "long" -> name.contains("Bytes") ? bytes(wanted) : Long.parseLong(wanted);
        case "boolean" -> bool(wanted);
        case "[Ljava.lang.String;" ->
            Arrays.stream(wanted.split(";"))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toArray(String[]::new);
        default -> wanted;
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + "=" + text + ": " + attribute.getDescription(), e);
    }
  }

  private static boolean bool(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new NumberFormatException(text);
    }
    return text.equals("true");
  }

  private static long bytes(String text) {
    Optional<ByteSize> size =
        ByteSize.parse(text).filter(parsed -> parsed.unit() == ByteSize.Unit.BYTES);
    return size.isPresent() ? size.get().bytes(0) : Long.parseLong(text);
  }
}
