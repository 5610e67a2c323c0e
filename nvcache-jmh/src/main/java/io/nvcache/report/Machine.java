// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the figures were measured on. */
final class Machine {
  private Machine() {}

  static Map<String, String> describe() {
    Runtime runtime = Runtime.getRuntime();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("JDK", property("java.vm.name") + " " + property("java.runtime.version"));
    facts.put("Processors", Integer.toString(runtime.availableProcessors()));
    facts.put("Largest heap", Figures.bytes(runtime.maxMemory()));
    facts.put(
        "Operating system",
        property("os.name") + " " + property("os.version") + ", " + property("os.arch"));
    return facts;
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
