// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.weave;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;

/**
 * Defines classes to the bootstrap loader, where the JDK's own find them. To append a jar to its
 * path would do as well, and has the JVM give up its shared archive of the program's classes, with
 * a warning at each start.
 */
public final class BootClasses {
  private static final String PACKAGE = "/io/nvcache/writelog/woven/";
  private static final String SECRETS = "jdk.internal.access.SharedSecrets";
  private static final String ACCESS = "jdk.internal.access.JavaLangAccess";

  private BootClasses() {}

  /**
   * Defines what woven classes call. {@code jdk.internal.access} must be exported to this package.
   *
   * @throws ReflectiveOperationException if this JDK does not let it
   */
  public static void define() throws IOException, ReflectiveOperationException {
    Object access = Class.forName(SECRETS).getMethod("getJavaLangAccess").invoke(null);
    Method define =
        Class.forName(ACCESS)
            .getMethod(
                "defineClass",
                ClassLoader.class,
                String.class,
                byte[].class,
                ProtectionDomain.class,
                String.class);
    for (String name : new String[] {"PathCalls", "StreamCalls", "WovenPaths", "WovenStreams"}) {
      define(access, define, PACKAGE + name);
    }
  }

  private static void define(Object access, Method define, String name)
      throws IOException, ReflectiveOperationException {
    try (InputStream in = BootClasses.class.getResourceAsStream(name + ".class")) {
      if (in == null) {
        throw new IOException("the agent's jar has no " + name);
      }
      String dotted = name.substring(1).replace('/', '.');
      Object unused = define.invoke(access, null, dotted, in.readAllBytes(), null, null);
    } catch (InvocationTargetException e) {
      throw new IOException("can't define " + name + ": " + e.getCause(), e);
    }
  }
}
