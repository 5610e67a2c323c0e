// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;

/**
 * Opens to the cache's own class loader what Chronicle Bytes needs of the JDK, so that an operator
 * has one line to add and no {@code --add-opens}.
 */
final class OpenedModules {
  private OpenedModules() {}

  static void open(Instrumentation instrumentation) {
    Set<Module> ours = Set.of(OpenedModules.class.getModule());
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("jdk.internal.ref", ours, "sun.nio.ch", ours),
        Map.of("java.lang.reflect", ours, "java.nio", ours),
        Set.of(),
        Map.of());
  }
}
