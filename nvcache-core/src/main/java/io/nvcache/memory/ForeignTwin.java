// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;

/**
 * Finds the classes of this package that use {@code java.lang.foreign}. They are in the
 * multi-release part of the jar, for JDK 22 and later, and missing where a JDK before 22 built
 * that. Each has one constructor.
 */
final class ForeignTwin {
  static final int FIRST_JDK = 22;

  private ForeignTwin() {}

  /**
   * Makes one.
   *
   * @param name of the class in this package
   * @throws ClassNotFoundException if this JVM, or this build, has none
   * @throws InvocationTargetException if its constructor failed
   */
  static <T> T of(Class<T> type, String name, Object... arguments)
      throws ReflectiveOperationException {
    Class<?> twin = Class.forName(ForeignTwin.class.getPackageName() + "." + name);
    return type.cast(twin.getDeclaredConstructors()[0].newInstance(arguments));
  }

  /**
   * Makes one that calls the C library.
   *
   * @throws IOException if there is none, or the JVM denies such calls, with what would help; or
   *     what its constructor throws
   */
  static <T> T calling(Class<T> type, String name, Object... arguments) throws IOException {
    try {
      return of(type, name, arguments);
    } catch (ClassNotFoundException | UnsupportedClassVersionError e) {
      throw new IOException(
          "this JVM ("
              + System.getProperty("java.version")
              + ") or this build of nvcache-core has no java.lang.foreign; run and build it with"
              + " JDK "
              + FIRST_JDK
              + " or later",
          e);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw denied(e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw denied(e);
    }
  }

  private static IOException denied(Throwable failure) {
    return new IOException(
        "the JVM denies calls of the C library; start it with --enable-native-access="
            + AddressedMemory.target(ForeignTwin.class),
        failure);
  }
}
