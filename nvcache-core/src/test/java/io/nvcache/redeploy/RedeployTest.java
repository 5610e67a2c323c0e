// SPDX-License-Identifier: Apache-2.0
package io.nvcache.redeploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server loads an application with the library in it, ends it and drops it, again and again. */
class RedeployTest {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"native", "encrypted", "shadowed", "tuned", "mapped", "flash"})
  void shouldLetGoOfAnApplicationThatClosedItsCaches(String medium) throws Exception {
    ThreadPoolExecutor server = (ThreadPoolExecutor) Executors.newFixedThreadPool(2);
    try {
      int started = server.prestartAllCoreThreads(); // With the server's loader, not with ours.
      WeakReference<ClassLoader> loader = deploy(medium, server);

      assertThat(isCollected(loader)).isTrue();
    } finally {
      server.shutdownNow();
    }
  }

  /** The deploying thread has the application's loader for its own while it starts it. */
  private WeakReference<ClassLoader> deploy(String medium, ExecutorService server)
      throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(loader);
      Method run =
          loader
              .loadClass(DeployedApplication.class.getName())
              .getMethod("run", String.class, Path.class, ExecutorService.class);
      run.invoke(null, medium, directory, server);
      return new WeakReference<>(loader);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static URL[] classPath() throws Exception {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<URL> urls = new ArrayList<>();
    for (String entry : path.split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** Threads that a cache has asked to end may be about to. */
  private static boolean isCollected(WeakReference<?> reference) throws InterruptedException {
    long began = System.nanoTime();
    while (reference.get() != null && System.nanoTime() - began < PATIENCE_NANOS) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return reference.get() == null;
  }
}
