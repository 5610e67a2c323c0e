// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;

/**
 * Breaks a copy of the agent on purpose: it then names cached blocks by the path of their file, as
 * one would at first, and leaves them in the cache when the file is closed. A test that does not
 * fail with it proves nothing.
 */
final class PathKeyedAgent {
  private static final String FILE_KEY = "io.nvcache.cassandra.tier.FileKey";
  private static final String TIER = "io.nvcache.cassandra.tier.Tier";
  private static final String INCARNATION = "io.nvcache.cassandra.tier.Incarnations$Incarnation";

  private PathKeyedAgent() {}

  /** What identifies an open file: its path. */
  static final class PathAsKey {
    private PathAsKey() {}

    @Advice.OnMethodExit
    @SuppressWarnings("UnusedVariable") // What is assigned is what the method returns.
    static void exit(@Advice.Argument(1) String path, @Advice.Return(readOnly = false) Object key) {
      key = path;
    }
  }

  /** What identifies a life of the file: that key, whenever it lives. */
  static final class KeyAsId {
    private KeyAsId() {}

    @Advice.OnMethodExit
    @SuppressWarnings("UnusedVariable") // What is assigned is what the method returns.
    static void exit(
        @Advice.FieldValue("fileKey") Object fileKey, @Advice.Return(readOnly = false) long id) {
      id = fileKey.hashCode() & 0xFFFFFFFFL;
    }
  }

  /** What happens to the blocks of a file that was closed: nothing. */
  static final class NotForgotten {
    private NotForgotten() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter() {
      return true;
    }
  }

  /** Writes the broken agent. */
  static Path make(Path agent, Path broken) throws Exception {
    Files.copy(agent, broken, StandardCopyOption.REPLACE_EXISTING);
    try (URLClassLoader isolated =
            new URLClassLoader(new URL[] {new URL("jar:" + agent.toUri() + "!/isolated/")}, null);
        ClassFileLocator files = ClassFileLocator.ForClassLoader.of(isolated);
        FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + broken.toUri()), Map.of())) {
      replace(jar, files, FILE_KEY, "of", PathAsKey.class);
      replace(jar, files, INCARNATION, "id", KeyAsId.class);
      replace(jar, files, TIER, "forget", NotForgotten.class);
    }
    return broken;
  }

  private static void replace(
      FileSystem jar, ClassFileLocator files, String type, String method, Class<?> advice)
      throws Exception {
    byte[] changed =
        new ByteBuddy()
            .redefine(TypePool.Default.of(files).describe(type).resolve(), files)
            .visit(Advice.to(advice).on(ElementMatchers.named(method)))
            .make()
            .getBytes();
    Files.write(jar.getPath("isolated", type.replace('.', '/') + ".class"), changed);
  }
}
