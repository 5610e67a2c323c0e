// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the figures were measured on. */
public final class HostMachine {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage");

  private HostMachine() {}

  /** What matters to times in memory; where the system does not tell, it is unknown. */
  public static Map<String, String> describeHardware() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Processor", processor());
    facts.put("Processors", Integer.toString(system.getAvailableProcessors()));
    facts.put("Memory", Figures.bytes(system.getTotalMemorySize()));
    facts.put(
        "Operating system",
        property("os.name") + " " + property("os.version") + ", " + property("os.arch"));
    facts.put("Transparent huge pages", text(HUGE_PAGES.resolve("enabled")));
    facts.put("The same for shared memory", text(HUGE_PAGES.resolve("shmem_enabled")));
    return facts;
  }

  private static String processor() {
    return text(PROCESSORS)
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** Returns what any program depends on. */
  public static Map<String, String> describe() {
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
