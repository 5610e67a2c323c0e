// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.memory.RawMemory;
import io.nvcache.writelog.agent.WriteLogAgent;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.core.OS;
import org.slf4j.LoggerFactory;
import org.slf4j.simple.SimpleLogger;

/**
 * The agent's jar: what the build has packed, where a property names it, and else one like it, made
 * of the classes that the test runs with.
 */
final class AgentJar {
  private static final String PROPERTY = "nvcache.it.agent";
  private static final String ENTRY = "io/nvcache/writelog/agent/";

  private AgentJar() {}

  /** Returns what the build has packed. */
  static Path packed() {
    return Path.of(System.getProperty(PROPERTY));
  }

  /** Makes one. */
  static Path make(Path to) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Premain-Class", WriteLogAgent.class.getName());
    main.putValue("Can-Retransform-Classes", "true");
    Set<String> names = new HashSet<>();
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(to), manifest)) {
      jar.setLevel(0);
      for (Class<?> type :
          List.of(
              WriteLogAgent.class,
              RawMemory.class,
              OS.class,
              BytesStore.class,
              LoggerFactory.class,
              SimpleLogger.class,
              ClassReader.class)) {
        add(locationOf(type), jar, names);
      }
    }
    return to;
  }

  private static Path locationOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void add(Path from, JarOutputStream to, Set<String> names) throws IOException {
    if (Files.isDirectory(from)) {
      try (Stream<Path> files = Files.walk(from)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          put(to, names, from.relativize(file).toString(), out -> Files.copy(file, out));
        }
      }
      return;
    }
    try (JarFile jar = new JarFile(from.toFile())) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        if (!entry.isDirectory()) {
          put(to, names, entry.getName(), out -> jar.getInputStream(entry).transferTo(out));
        }
      }
    }
  }

  private interface Content {
    void copy(OutputStream out) throws IOException;
  }

  private static void put(JarOutputStream to, Set<String> names, String name, Content content) {
    boolean unwanted =
        name.endsWith("module-info.class")
            || name.startsWith("META-INF/M")
            || name.startsWith("META-INF/versions/") && !name.contains("/io/nvcache/")
            || (name.startsWith("net/bytebuddy/") && !name.startsWith("net/bytebuddy/jar/asm/"));
    String place = name.startsWith(ENTRY) ? name : "isolated/" + name;
    if (unwanted || !names.add(place)) {
      return;
    }
    try {
      to.putNextEntry(new JarEntry(place));
      content.copy(to);
      to.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
