// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.nio.file.ExtendedOpenOption;
import io.nvcache.writelog.Propagation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The same contract, where writes reach the page cache later. */
class DeferredFileChannelTest extends LoggedFileChannelTest {
  @Override
  Propagation propagation() {
    return Propagation.DEFERRED;
  }

  @Test
  void shouldShowEachReaderWhatReturned() throws IOException {
    Path a = root.resolve("a");
    try (FileChannel channel = FileChannel.open(a, CREATE, WRITE);
        FileChannel reader = FileChannel.open(a)) {
      for (int i = 0; i < 300; i++) {
        String text = "version " + i;
        channel.write(bytes(text), 5000L * i);
        assertThat(reader.size()).isEqualTo(5000L * i + text.length());
        assertThat(Files.size(a)).isEqualTo(reader.size());
        assertThat(Files.getAttribute(a, "size")).isEqualTo(reader.size());
        ByteBuffer[] targets = {ByteBuffer.allocate(8), ByteBuffer.allocate(20)};
        reader.position(5000L * i);
        assertThat(reader.read(targets)).isEqualTo(text.length());
        assertThat(new String(targets[0].array(), UTF_8)).isEqualTo("version ");
      }
      assertThatThrownBy(() -> reader.write(bytes("x")))
          .isInstanceOf(NonWritableChannelException.class);
      assertThatThrownBy(() -> reader.truncate(0)).isInstanceOf(NonWritableChannelException.class);
      reader.force(true);
    }
    assertThat(Files.readAttributes(drained("a"), BasicFileAttributes.class).size())
        .isEqualTo(5000L * 299 + "version 299".length());
  }

  /** The platform refuses a read that begins behind the end of such a file, at no block. */
  @Test
  void shouldReadPastThePageCacheWhatIsDeferred() throws IOException {
    Path a = root.resolve("a");
    int block = (int) Files.getFileStore(a.getParent()).getBlockSize();
    try (FileChannel writer = FileChannel.open(a, CREATE, WRITE)) {
      writer.write(ByteBuffer.allocate(block + 100));
      log().drain();
      try (FileChannel channel = FileChannel.open(a, READ, ExtendedOpenOption.DIRECT)) {
        ByteBuffer target = ByteBuffer.allocateDirect(3 * block).alignedSlice(block);
        for (int i = 1; i < 100; i++) {
          writer.write(ByteBuffer.wrap(new byte[] {(byte) i}), 5);
          assertThat(channel.read(target.clear().limit(2 * block), 0)).isEqualTo(block + 100);
          assertThat(target.get(5)).isEqualTo((byte) i);
        }
      }
    }
  }

  @Test
  void shouldShowViewsAndOtherNamesWhatReturned() throws IOException {
    Path a = root.resolve("a");
    Path alias = Files.createSymbolicLink(root.getFileSystem().getPath(directory + "/alias"), root);
    BasicFileAttributeView view = Files.getFileAttributeView(a, BasicFileAttributeView.class);
    try (FileChannel channel = FileChannel.open(a, CREATE, WRITE)) {
      for (int i = 1; i < 200; i++) {
        channel.write(bytes("x"));
        assertThat(view.readAttributes().size()).isEqualTo(i);
        channel.write(bytes("x"), i);
        assertThat(Files.size(alias.resolve("a"))).isEqualTo(i + 1);
      }
    }
    assertThat(view.name()).isEqualTo("basic");
    Files.delete(a);
    assertThatThrownBy(view::readAttributes).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void shouldReadZerosBetweenWritesBehindTheEnd() throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve("a"), CREATE, READ, WRITE)) {
      channel.write(bytes("x"), 10_000);
      ByteBuffer target = ByteBuffer.allocate(20_000);
      java.util.Arrays.fill(target.array(), (byte) 7);
      assertThat(channel.read(target, 0)).isEqualTo(10_001);
      assertThat(target.array()).startsWith(new byte[10_000]).containsSequence((byte) 'x', 7);
      assertThat(channel.read(ByteBuffer.allocate(1), 10_001)).isEqualTo(-1);
    }
  }

  /** A mapping is the kernel's, so the log may not keep anything from it. */
  @Test
  void shouldWriteThroughWhatIsMappedForReading() throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve("a"), CREATE, READ, WRITE)) {
      channel.write(bytes("0123456789"));
      MappedByteBuffer seen = channel.map(FileChannel.MapMode.READ_ONLY, 0, 10);
      for (int i = 0; i < 10; i++) {
        channel.write(bytes("x"), i);
        assertThat(seen.get(i)).isEqualTo((byte) 'x');
      }
      assertThat(log().stats().records()).isEqualTo(11);
    }
  }

  @Test
  void shouldShowOthersTheFileWhileItIsLocked() throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve("a"), CREATE, WRITE)) {
      channel.write(bytes("before"));
      try (java.nio.channels.FileLock lock = channel.lock()) {
        assertThat(Path.of(root.resolve("a").toString())).hasContent("before");
        channel.write(bytes(" under"));
        assertThat(lock.isValid()).isTrue();
      }
      assertThat(Path.of(root.resolve("a").toString())).hasContent("before under");
    }
  }

  /** Each page that a reader meets must be of one write, and never older than one seen before. */
  @Test
  void shouldNeverShowAReaderOlderBytes() throws Exception {
    int pages = 16;
    Path a = root.resolve("a");
    long seed = System.nanoTime();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (FileChannel channel = FileChannel.open(a, CREATE, WRITE);
        FileChannel reader = FileChannel.open(a)) {
      channel.write(ByteBuffer.allocate(pages * 4096), 0);
      Future<?> writer =
          threads.submit(
              () -> {
                Random random = new Random(seed);
                ByteBuffer page = ByteBuffer.allocateDirect(4096);
                for (int version = 1; version <= 20_000; version++) {
                  for (page.clear(); page.hasRemaining(); ) {
                    page.putInt(version);
                  }
                  channel.write(page.flip(), 4096L * random.nextInt(pages));
                }
                return null;
              });
      Future<?> other =
          threads.submit(
              () -> {
                Random random = new Random(seed + 1);
                int[] seen = new int[pages];
                ByteBuffer page = ByteBuffer.allocateDirect(4096);
                while (!writer.isDone()) {
                  int number = random.nextInt(pages);
                  assertThat(reader.read(page.clear(), 4096L * number)).isEqualTo(4096);
                  int version = page.flip().getInt();
                  assertThat(version).as("seed %d", seed).isGreaterThanOrEqualTo(seen[number]);
                  seen[number] = version;
                  while (page.hasRemaining()) {
                    assertThat(page.getInt()).as("seed %d", seed).isEqualTo(version);
                  }
                }
                return null;
              });
      writer.get(10, TimeUnit.MINUTES);
      other.get(10, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
