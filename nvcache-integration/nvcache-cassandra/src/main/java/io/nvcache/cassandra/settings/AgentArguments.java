// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.settings;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The arguments after {@code -javaagent:nvcache-cassandra-agent.jar=}: the name of a properties
 * file, or settings with commas between them, or both ({@code config=FILE,nvcache.medium=native});
 * a setting given there wins over the file. A path behind a comma is one more of the setting before
 * ({@code nvcache.path=/mnt/nvme0/cache,/mnt/nvme1/cache}).
 */
public final class AgentArguments {
  private static final String CONFIG = "config";

  private AgentArguments() {}

  /**
   * Reads the arguments and the file they name.
   *
   * @throws IllegalArgumentException if they can't be understood or the file can't be read
   */
  public static Properties parse(String arguments) {
    String trimmed = arguments.trim();
    if (trimmed.isEmpty()) {
      throw new IllegalArgumentException(
          "the agent was given no settings; write -javaagent:JAR=FILE, where FILE sets at least "
              + NodeSettings.CAPACITY_BYTES);
    }
    if (!trimmed.contains("=")) {
      return load(trimmed);
    }
    Properties given = new Properties();
    String last = null;
    for (String setting : trimmed.split(",", -1)) {
      if (last != null && setting.trim().startsWith("/")) { // No key does.
        given.setProperty(last, given.getProperty(last) + "," + setting.trim());
        continue;
      }
      int equals = setting.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException(
            "'" + setting + "' in the agent's arguments is not a setting; write KEY=VALUE");
      }
      last = setting.substring(0, equals).trim();
      given.setProperty(last, setting.substring(equals + 1).trim());
    }
    String file = (String) given.remove(CONFIG);
    Properties all = file == null ? new Properties() : load(file);
    all.putAll(given);
    return all;
  }

  private static Properties load(String file) {
    Properties loaded = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(file))) {
      loaded.load(reader);
    } catch (IOException | IllegalArgumentException e) { // The latter for a broken escape.
      throw new IllegalArgumentException(
          "can't read the settings in " + file + ": " + e + "; name a readable properties file", e);
    }
    if (loaded.containsKey(CONFIG)) {
      throw new IllegalArgumentException(
          "the settings in " + file + " name another file; write all of them in one");
    }
    return loaded;
  }
}
