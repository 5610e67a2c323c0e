// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.report.Labelled;
import java.util.List;
import java.util.Map;

/** Whether a JVM asks the system for transparent huge pages. */
enum HugePages implements Labelled {
  /** As the machine and the JVM do by themselves. */
  DEFAULT,
  /**
   * Both for the heap and for native memory. The JVM's flag reaches its heap only; native memory
   * comes from the C library, which glibc 2.35 and newer advises the kernel about when told to by a
   * tunable. Where the kernel's own setting is {@code never}, neither helps.
   */
  ON;

  List<String> flags() {
    return this == ON ? List.of("-XX:+UseTransparentHugePages") : List.of();
  }

  Map<String, String> environment() {
    return this == ON ? Map.of("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1") : Map.of();
  }
}
