// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.agent;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * Loads the log and its libraries from a folder inside the agent jar, where no other loader finds
 * them, and nothing of the program: neither sees the other's SLF4J or Chronicle. What is not there
 * comes from the JDK.
 */
final class IsolatedLoader extends URLClassLoader {
  private static final String FOLDER = "!/isolated/";
  private static final int NEWER_JDK = 22;
  private static final String OF_NEWER_JDK = FOLDER + "META-INF/versions/" + NEWER_JDK + "/";

  static {
    registerAsParallelCapable();
  }

  private IsolatedLoader(URL[] folders) {
    super("nvcache-writelog", folders, ClassLoader.getPlatformClassLoader());
  }

  /**
   * Reads from the agent jar.
   *
   * @throws MalformedURLException if the jar's location makes no URL
   */
  static IsolatedLoader over(URI agentJar) throws MalformedURLException {
    URL folder = new URL("jar:" + agentJar + FOLDER);
    return new IsolatedLoader(
        Runtime.version().feature() < NEWER_JDK
            ? new URL[] {folder}
            : new URL[] {new URL("jar:" + agentJar + OF_NEWER_JDK), folder});
  }
}
