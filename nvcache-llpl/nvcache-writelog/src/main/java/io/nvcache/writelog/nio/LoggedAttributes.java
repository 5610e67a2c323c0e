// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;

/** Views of a file's attributes that have the file know what is deferred of it. */
final class LoggedAttributes {
  private LoggedAttributes() {}

  /**
   * Returns a view before each of whose calls the file gets what the log has of it.
   *
   * @param view the platform's
   */
  static <V extends FileAttributeView> V view(
      WriteLogFileSystemProvider provider, Path path, Class<V> type, V view) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("setTimes")) {
                provider.drain(path);
              } else if (method.getDeclaringClass() != Object.class
                  && !method.getName().equals("name")) {
                provider.publish(path);
              }
              try {
                return method.invoke(view, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            }));
  }
}
