// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of the Java agent. A setting that is wrong ends the JVM with one line on its
 * standard error, since an operator who asked for a cache should not find out months later that
 * there was none. Whatever else goes wrong leaves the node running without a cache.
 */
public final class NvCacheAgent {
  private static final String START = "io.nvcache.cassandra.NodeStart";

  /** Whatever jars the command line names, the JVM has this class once. */
  private static final AtomicBoolean GIVEN = new AtomicBoolean();

  private NvCacheAgent() {}

  /**
   * Installs the hooks; called by the JVM before the main method of the node.
   *
   * @param arguments what follows the jar's name and {@code =} on the command line
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    if (GIVEN.getAndSet(true)) {
      refuse("the agent is given twice, which would weave Cassandra twice; remove one -javaagent");
    }
    try {
      start(arguments == null ? "" : arguments, instrumentation);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IllegalArgumentException) {
        refuse(cause.getMessage());
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

  private static void refuse(@Nullable String reason) {
    System.err.println("NVCache: the node was not started: " + reason);
    System.exit(1);
  }

  private static void withoutCache(@Nullable Throwable reason) {
    System.err.println("NVCache: the node runs without a cache: " + reason);
  }
}
