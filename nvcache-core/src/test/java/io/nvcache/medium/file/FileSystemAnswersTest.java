// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file system says of itself is advice, and no reason to fail. */
@EnabledOnOs(OS.LINUX)
final class FileSystemAnswersTest {
  private static final int CAPACITY = 1 << 20;

  @TempDir Path directory;

  private static final class Store extends FileStore {
    private final long totalBytes;
    private final long usableBytes;
    private final long blockBytes;

    Store(long totalBytes, long usableBytes, long blockBytes) {
      this.totalBytes = totalBytes;
      this.usableBytes = usableBytes;
      this.blockBytes = blockBytes;
    }

    @Override
    public String name() {
      return "made up";
    }

    @Override
    public String type() {
      return "made up";
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public long getTotalSpace() {
      return totalBytes;
    }

    @Override
    public long getUsableSpace() {
      return usableBytes;
    }

    @Override
    public long getUnallocatedSpace() {
      return usableBytes;
    }

    @Override
    public long getBlockSize() {
      return blockBytes;
    }

    @Override
    public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
      return false;
    }

    @Override
    public boolean supportsFileAttributeView(String name) {
      return false;
    }

    @Override
    public <V extends FileStoreAttributeView> V getFileStoreAttributeView(Class<V> type) {
      return null;
    }

    @Override
    public Object getAttribute(String attribute) {
      throw new UnsupportedOperationException();
    }
  }

  private void assertWorks() throws IOException {
    for (int life = 0; life < 2; life++) {
      try (Medium flash = FlashMedium.create(directory.resolve("flash"), CAPACITY);
          Medium mapped = MappedFileMedium.create(directory.resolve("mapped"), CAPACITY)) {
        for (Medium medium : new Medium[] {flash, mapped}) {
          medium.write(4096, ByteBuffer.allocate(10_000).put(9_999, (byte) 42));
          ByteBuffer read = ByteBuffer.allocate(10_000);
          medium.read(4096, read, 10_000);
          assertThat(read.get(9_999)).isEqualTo((byte) 42);
          medium.check();
        }
        assertThat(flash.alignmentBytes()).isEqualTo(4096);
      }
      try (FlashImage image = FlashImage.open(directory.resolve("flash"))) {
        assertThat(image.fault()).isEmpty();
        ByteBuffer read = ByteBuffer.allocate(1);
        image.read(4096 + 9_999, read, 0, 1);
        assertThat(read.get(0)).isEqualTo((byte) 42);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 9223372036854775807, 1048576", // Network file systems.
    "9223372036854775807, 9223372036854771712, 1048576",
    "0, 0, 4096", // A tmpfs without a limit.
    "-1, -1, 4096",
    "1000000000, 1000000000, 1048576",
    "1000000000, 1000000000, 0",
    "1000000000, 1000000000, 131072",
    "1000000000, 1000000000, 3000",
  })
  void shouldWorkWhateverRoomAndBlocksAreReported(long total, long usable, long block)
      throws Exception {
    try (AutoCloseable answers =
        FileSystemAdvice.answeredBy(path -> new Store(total, usable, block))) {
      assertThat(answers).isNotNull();
      assertWorks();
    }
  }

  /** In a chroot, and where the process has no descriptor left to ask by. */
  @Test
  void shouldWorkWhereThereIsNobodyToAsk() throws Exception {
    try (AutoCloseable answers =
        FileSystemAdvice.answeredBy(
            path -> {
              throw new FileSystemException("Mount point not found");
            })) {
      assertThat(answers).isNotNull();
      assertWorks();
    }
  }

  /** An answer takes the JDK a look at all that is mounted. */
  @Test
  void shouldAskAFewTimes() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Path file = directory.resolve("flash");
    FlashMedium.create(file, CAPACITY).close();
    try (AutoCloseable answers =
            FileSystemAdvice.answeredBy(
                path -> {
                  asked.incrementAndGet();
                  return Files.getFileStore(path);
                });
        Medium again = FlashMedium.create(file, CAPACITY)) {
      assertThat(answers).isNotNull();
      assertThat(again.capacityBytes()).isEqualTo(CAPACITY);
    }
    assertThat(asked).as("with eight channels").hasValueLessThanOrEqualTo(4);
  }

  @Test
  void shouldRefuseWhatDoesNotFit() throws Exception {
    Path file = directory.resolve("f");
    try (AutoCloseable answers =
        FileSystemAdvice.answeredBy(path -> new Store(1 << 30, 5000, 4096))) {
      assertThat(answers).isNotNull();
      assertThatThrownBy(() -> FlashMedium.create(file, CAPACITY))
          .hasMessage(
              "no space for "
                  + file
                  + ": "
                  + (CAPACITY + 4096)
                  + " bytes asked for, 5000 available; lower the capacity or free some");
      assertThat(file).doesNotExist();
    }
  }
}
