// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import io.nvcache.testing.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mapped file where nothing can be written, in a JVM that sees the directory read-only. */
final class ReadOnlyFileSystemTest {
  @TempDir Path directory;

  @Test
  void shouldSayWhatToDo() throws Exception {
    String shell = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\"";
    List<String> unshared =
        new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", shell, directory.toString()));
    Assumptions.assumeTrue(works(unshared), "mounts can't be made here");
    unshared.addAll(
        ChildJvm.command(
            Jdk.own().home(),
            List.of(
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"),
            CacheByFlags.class,
            "mapped",
            directory.resolve("f").toString()));
    assertThat(ChildJvm.run(unshared))
        .contains("can't open " + directory.resolve("f"))
        .contains("mounted read-only; mount it read-write, or name a path on another");
  }

  private static boolean works(List<String> unshared) throws InterruptedException {
    List<String> command = new ArrayList<>(unshared);
    command.add("true");
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
    } catch (IOException notThere) {
      return false;
    }
  }
}
