// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.WriteLogBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a log, from system properties or the environment of a new file system. Each key
 * begins with {@code nvcache.writelog.}:
 *
 * <ul>
 *   <li>{@code path} of the log's file; required
 *   <li>{@code roots}: directories, between the platform's path separators; required
 *   <li>{@code capacityBytes}, {@code lanes}, {@code fileSlots} of a new log
 *   <li>{@code persistence}: a {@link Persistence}
 *   <li>{@code require}: a {@link Durability}
 *   <li>{@code propagation}: a {@link Propagation}; {@code batchRecords} of the deferred kind
 * </ul>
 */
record WriteLogOptions(Map<String, String> values) {
  private static final String PREFIX = "nvcache.writelog.";
  private static final List<String> KEYS =
      List.of(
          "path",
          "roots",
          "capacityBytes",
          "lanes",
          "fileSlots",
          "persistence",
          "require",
          "propagation",
          "batchRecords");

  static WriteLogOptions ofSystem() {
    Map<String, String> values = new java.util.HashMap<>();
    for (String key : KEYS) {
      // Called while a JVM starts: the first "+" of a program links the JVM's method handles.
      String value = System.getProperty(PREFIX.concat(key));
      if (value != null) {
        values.put(key, value);
      }
    }
    return new WriteLogOptions(values);
  }

  static WriteLogOptions of(Map<String, ?> environment) {
    Map<String, String> values = new java.util.HashMap<>();
    environment.forEach(
        (key, value) -> {
          if (!key.startsWith(PREFIX) || !KEYS.contains(key.substring(PREFIX.length()))) {
            throw new IllegalArgumentException(
                "'" + key + "' is not a key of a write log; " + PREFIX + " begins these: " + KEYS);
          }
          values.put(key.substring(PREFIX.length()), value.toString());
        });
    return new WriteLogOptions(values);
  }

  /**
   * Reads what follows the name of the agent's jar: settings with commas between them, each a key,
   * with or without {@value #PREFIX}, and a value. What is not there is as system properties say.
   */
  static WriteLogOptions ofAgent(String arguments) {
    Map<String, String> values = new java.util.HashMap<>(ofSystem().values());
    for (String setting : arguments.isBlank() ? new String[0] : arguments.split(",", -1)) {
      int equals = setting.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException(
            "'" + setting + "' in the agent's arguments is not a setting; write KEY=VALUE");
      }
      String key = setting.substring(0, equals).trim();
      key = key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key;
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException(
            "'"
                + key
                + "' in the agent's arguments is not a key of a write log; these are: "
                + KEYS);
      }
      values.put(key, setting.substring(equals + 1).trim());
    }
    return new WriteLogOptions(values);
  }

  private String required(String key) {
    String value = values.get(key);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(
          PREFIX + key + " is not set; a write log needs its path and its roots");
    }
    return value;
  }

  /** Returns the directories, as they are written. */
  List<Path> roots(FileSystem platform) {
    List<Path> roots = new ArrayList<>();
    for (String root : required("roots").split(File.pathSeparator, -1)) {
      if (root.isBlank()) { // It would mean the directory that the program was started in.
        throw new IllegalArgumentException(
            PREFIX
                + "roots is '"
                + required("roots")
                + "', and names nothing before, after or between '"
                + File.pathSeparator
                + "'; name a directory there");
      }
      roots.add(platform.getPath(root).toAbsolutePath().normalize());
    }
    return roots;
  }

  /** Opens the log. */
  WriteLog open(FileSystem platform) throws IOException {
    WriteLogBuilder builder = WriteLog.builder(platform.getPath(required("path")));
    roots(platform).forEach(builder::root);
    Long capacity = number("capacityBytes");
    if (capacity != null) {
      builder.capacityBytes(capacity);
    }
    Integer lanes = smallNumber("lanes");
    if (lanes != null) {
      builder.lanes(lanes);
    }
    Integer slots = smallNumber("fileSlots");
    if (slots != null) {
      builder.fileSlots(slots);
    }
    String persistence = values.get("persistence");
    if (persistence != null) {
      builder.persistence(choice(Persistence.class, "persistence", persistence));
    }
    String grade = values.get("require");
    if (grade != null) {
      builder.require(choice(Durability.class, "require", grade));
    }
    String propagation = values.get("propagation");
    if (propagation != null) {
      builder.propagation(choice(Propagation.class, "propagation", propagation));
    }
    Integer batch = smallNumber("batchRecords");
    if (batch != null) {
      builder.batchRecords(batch);
    }
    return builder.open();
  }

  private @Nullable Long number(String key) {
    String value = values.get(key);
    if (value == null) {
      return null;
    }
    try {
      return Long.valueOf(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          PREFIX + key + " is '" + value + "'; it must be a whole number", e);
    }
  }

  private @Nullable Integer smallNumber(String key) {
    Long value = number(key);
    if (value != null && value != value.intValue()) {
      throw new IllegalArgumentException(
          PREFIX + key + " is " + value + "; it must be a positive number below 2147483648");
    }
    return value == null ? null : value.intValue();
  }

  private static <E extends Enum<E>> E choice(Class<E> type, String key, String value) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(value.toUpperCase(Locale.ROOT))) {
        return constant;
      }
    }
    throw new IllegalArgumentException(
        PREFIX
            + key
            + " is '"
            + value
            + "'; it must be one of "
            + List.of(type.getEnumConstants()));
  }
}
