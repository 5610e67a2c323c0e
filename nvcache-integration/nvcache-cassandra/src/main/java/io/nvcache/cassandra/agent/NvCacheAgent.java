// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of the Java agent. A setting that is wrong ends the JVM with one line on its
 * standard error, since an operator who asked for a cache should not find out months later that
 * there was none. Whatever else goes wrong leaves the node running without a cache.
 */
public final class NvCacheAgent {
  private static final String START = "io.nvcache.cassandra.NodeStart";

  private NvCacheAgent() {}

  /**
   * Installs the hooks; called by the JVM before the main method of the node.
   *
   * @param arguments what follows the jar's name and {@code =} on the command line
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    try {
      start(arguments == null ? "" : arguments, instrumentation);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IllegalArgumentException) {
        System.err.println("NVCache: the node was not started: " + cause.getMessage());
        System.exit(1);
      }
      withoutCache(cause);
    } catch (Exception | LinkageError e) {
      withoutCache(e);
    }
  }

  private static void start(String arguments, Instrumentation instrumentation) throws Exception {
    URI jar = NvCacheAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    // Never closed: the cache lives in it as long as the process does.
    @SuppressWarnings("resource")
    IsolatedLoader loader = IsolatedLoader.over(jar, ClassLoader.getSystemClassLoader());
    Class.forName(START, true, loader)
        .getMethod("start", String.class, Instrumentation.class)
        .invoke(null, arguments, instrumentation);
  }

  private static void withoutCache(@Nullable Throwable reason) {
    System.err.println("NVCache: the node runs without a cache: " + reason);
  }
}
