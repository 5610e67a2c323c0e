// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DelayedFileSystemTest {
  private final List<Long> slept = new ArrayList<>();
  private final DelayedFileSystem fileSystem =
      new DelayedFileSystem(new RawLocalFileSystem(), 7, slept::add);
  @TempDir private java.nio.file.Path directory;
  private Path file;

  @BeforeEach
  void makeFile() throws Exception {
    fileSystem.initialize(URI.create("file:///"), new Configuration(false));
    java.nio.file.Path written = Files.write(directory.resolve("f"), new byte[] {0, 1, 2, 3, 4});
    file = new Path(written.toUri());
  }

  @Test
  void shouldDelayEachReadOnceItIsSwitchedOn() throws Exception {
    try (FSDataInputStream in = fileSystem.open(file)) {
      assertThat(in.read()).isZero();
      assertThat(slept).isEmpty();
      fileSystem.delayReads(true);
      byte[] bytes = new byte[2];
      in.readFully(3, bytes);
      assertThat(bytes).containsExactly(3, 4);
      assertThat(slept).containsExactly(7L);
      in.seek(2);
      assertThat(in.read(bytes)).isEqualTo(2);
      assertThat(bytes).containsExactly(2, 3);
      assertThat(in.getPos()).isEqualTo(4);
      assertThat(slept).containsExactly(7L, 7L);
      fileSystem.delayReads(false);
      assertThat(in.read()).isEqualTo(4);
      assertThat(slept).hasSize(2);
    }
  }

  @Test
  void shouldTakeReadingOnForNoNewRequest() throws Exception {
    fileSystem.delayReads(true);
    try (FSDataInputStream in = fileSystem.open(file)) {
      assertThat(in.read(new byte[2])).isEqualTo(2);
      assertThat(slept).hasSize(1);
      in.seek(2);
      assertThat(in.read()).isEqualTo(2);
      assertThat(in.read(new byte[1])).isEqualTo(1);
      assertThat(slept).hasSize(1);
      in.readFully(4, new byte[1]);
      assertThat(slept).hasSize(2);
      in.seek(1);
      assertThat(in.read()).isEqualTo(1);
      assertThat(slept).hasSize(3);
    }
  }

  @Test
  void shouldEndADelayedReadWhenItIsInterrupted() throws Exception {
    DelayedFileSystem slow =
        new DelayedFileSystem(
            fileSystem,
            7,
            millis -> {
              throw new InterruptedException();
            });
    slow.delayReads(true);
    try (FSDataInputStream in = slow.open(file)) {
      assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
