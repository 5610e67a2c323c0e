// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.memory.SmallFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A process of some machine, named so that no other process ever has the same name: by the boot of
 * the machine, the namespace of process ids, its id there, and when it started.
 *
 * <p>Whether it still runs shows in {@code /proc}, but only to processes of the same boot and the
 * same namespace. Elsewhere, as in another container, nothing can be told.
 *
 * @param bootHigh half of the boot's id; 0 for both where the system has none
 * @param bootLow the other half
 * @param namespace 0 where it can't be told
 * @param startTicks since the boot
 */
record ProcessName(long bootHigh, long bootLow, long namespace, long pid, long startTicks) {
  private static final Path PROC = Path.of("/proc");
  private static final int STATE = 0;

  /** The 22nd field in proc(5); the fields before the state are not counted here. */
  private static final int START = 19;

  private static final ProcessName OWN = read();

  /** What can be told of a process. */
  enum Life {
    /** It is the process that asks. */
    OWN,
    RUNNING,
    ENDED,
    UNKNOWN
  }

  /** Returns the name of this process. */
  static ProcessName own() {
    return OWN;
  }

  private static ProcessName read() {
    long pid = ProcessHandle.current().pid();
    try {
      UUID boot =
          UUID.fromString(SmallFiles.text(PROC.resolve("sys/kernel/random/boot_id")).strip());
      // Where /proc is another namespace's, its numbers mean other processes.
      boolean own = Files.readSymbolicLink(PROC.resolve("self")).endsWith(Long.toString(pid));
      String link = Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
      long namespace = own ? Long.parseLong(link.replaceAll("\\D", "")) : 0;
      return new ProcessName(
          boot.getMostSignificantBits(),
          boot.getLeastSignificantBits(),
          namespace,
          pid,
          startTicks(pid));
    } catch (IOException | RuntimeException notLinux) {
      return new ProcessName(0, 0, 0, pid, 0);
    }
  }

  /** Returns whether the process still runs, as far as this one can tell. */
  Life life() {
    if (equals(OWN)) {
      return Life.OWN;
    }
    boolean visible =
        namespace != 0
            && namespace == OWN.namespace
            && bootHigh == OWN.bootHigh
            && bootLow == OWN.bootLow
            && Files.exists(PROC.resolve("1")); // Not if other users' processes are hidden.
    if (!visible) {
      return Life.UNKNOWN;
    }
    try {
      return startTicks(pid) == startTicks ? Life.RUNNING : Life.ENDED;
    } catch (IOException | RuntimeException gone) {
      return Life.ENDED;
    }
  }

  /** Returns when a process started; -1 if it has ended, though nobody has asked how yet. */
  private static long startTicks(long pid) throws IOException {
    String stat = SmallFiles.text(PROC.resolve(Long.toString(pid)).resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return "ZX".contains(fields[STATE]) ? -1 : Long.parseLong(fields[START]);
  }
}
