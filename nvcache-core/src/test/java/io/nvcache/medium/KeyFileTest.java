// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class KeyFileTest {
  @TempDir Path directory;

  @Test
  void shouldUnwrapWhatItWrapped() throws IOException {
    KeyFile keys = new KeyFile(Files.write(directory.resolve("key"), new byte[32]));
    byte[] key = new byte[32];
    key[5] = 42;
    assertThat(keys.unwrap(keys.wrap(key.clone()))).isEqualTo(key);
  }

  /** By way of a link, as secrets of Kubernetes are. */
  @Test
  void shouldFollowALink() throws IOException {
    Path file = Files.write(directory.resolve("key"), new byte[32]);
    new KeyFile(Files.createSymbolicLink(directory.resolve("link"), file)).check();
  }

  @Test
  void shouldReadNoMoreThanAKeyHas() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (Path endless : new Path[] {Path.of("/dev/zero"), pipe, directory}) {
      assertThatThrownBy(() -> new KeyFile(endless).check())
          .isInstanceOf(IOException.class)
          .hasMessage(endless + " is not a file; a key is one of 32 random bytes");
    }
    Path large = directory.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    assertThatThrownBy(() -> new KeyFile(large).check())
        .isInstanceOf(IOException.class)
        .hasMessage(large + " has " + (1L << 40) + " bytes; a key has 32 random ones");
    assertThatThrownBy(() -> new KeyFile(directory.resolve("missing")).check())
        .isInstanceOf(NoSuchFileException.class);
  }
}
