// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import org.jspecify.annotations.Nullable;

/**
 * Loads the cache and its libraries from a folder inside the agent jar, where no other loader finds
 * them. What is not there comes from the loader of Cassandra: the JDK, Cassandra itself, its SLF4J
 * and its metrics library. So Cassandra keeps the versions of Caffeine and Chronicle that it came
 * with and the cache has its own.
 */
final class IsolatedLoader extends URLClassLoader {
  private static final String FOLDER = "!/isolated/";

  static {
    registerAsParallelCapable();
  }

  private IsolatedLoader(URL folder, ClassLoader parent) {
    super("nvcache", new URL[] {folder}, parent);
  }

  /**
   * Reads from the agent jar.
   *
   * @throws MalformedURLException if the jar's location makes no URL
   */
  static IsolatedLoader over(URI agentJar, ClassLoader parent) throws MalformedURLException {
    return new IsolatedLoader(new URL("jar:" + agentJar + FOLDER), parent);
  }

  /** Its own classes first; the JDK's are not among them. */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = findOwn(name);
      }
      if (loaded == null) {
        return super.loadClass(name, resolve);
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }

  private @Nullable Class<?> findOwn(String name) {
    if (name.startsWith("java.")) {
      return null;
    }
    try {
      return findClass(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  @Override
  public @Nullable URL getResource(String name) {
    URL own = findResource(name);
    return own != null ? own : super.getResource(name);
  }
}
