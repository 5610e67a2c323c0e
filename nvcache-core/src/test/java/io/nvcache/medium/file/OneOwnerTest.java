// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.CacheHealth;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.MediumLostException;
import io.nvcache.testing.ChildJvm;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No two caches have one file, whatever a process that has it does to it. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class OneOwnerTest {
  private static final int CAPACITY = 1 << 20;
  private static final ProcessName UNSEEN = new ProcessName(1, 2, 3, 4, 5);

  @TempDir Path directory;

  private static Medium open(String kind, Path file) throws IOException {
    return kind.equals("flash")
        ? FlashMedium.create(file, CAPACITY, CloseAction.DELETE)
        : MappedFileMedium.create(file, CAPACITY, CloseAction.DELETE);
  }

  /** A process that opens a medium, and tells what it was answered. */
  public static final class Asker {
    private Asker() {}

    @SuppressWarnings("SystemOut") // Its parent listens.
    public static void main(String[] args) {
      try (Medium medium = open(args[0], Path.of(args[1]))) {
        System.out.println("opened " + medium.describe());
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** POSIX ends all locks of a file that the process has when it closes any descriptor of it. */
  @ParameterizedTest
  @ValueSource(strings = {"flash", "mapped"})
  void shouldStayTheOwnerOfAFileThatItsProcessReads(String kind) throws Exception {
    Path file = directory.resolve("f");
    try (Medium medium = open(kind, file)) {
      assertThat(Files.readAllBytes(file)).isNotEmpty();
      assertThat(ChildJvm.run(Asker.class, kind, file.toString()))
          .contains(
              "can't use " + file + ": it is held by process " + ProcessHandle.current().pid());
      assertThat(
              ChildJvm.run(Asker.class, kind.equals("flash") ? "mapped" : "flash", file.toString()))
          .contains("it is held by process");
      medium.check();
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void shouldRefuseAnotherClassLoaderOfItsProcess() throws Exception {
    Path file = directory.resolve("f");
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(":")) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    try (Medium medium = open("flash", file);
        URLClassLoader other =
            new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> type = other.loadClass(LockedFile.class.getName());
      var opener = type.getDeclaredMethod("open", Path.class);
      opener.setAccessible(true);
      assertThatThrownBy(() -> opener.invoke(null, file))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .hasMessageContaining("it is held by another cache of this process");
      medium.check();
      assertThat(ChildJvm.run(FileAsker.class, file.toString()))
          .as("the lock")
          .contains("it is held by another process");
    }
  }

  private MarkPlace markedBy(ProcessName owner, FileChannel channel) throws IOException {
    MarkPlace place = new MarkPlace(channel, 0, 4096);
    place.write(new Mark(Mark.FLASH, CAPACITY, new UUID(1, 1), owner, 0));
    return place;
  }

  private static FileChannel channel(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Test
  void shouldKnockAndTakeWhatNobodyAnswersFor() throws IOException {
    Path file = directory.resolve("f");
    try (FileChannel channel = channel(file)) {
      MarkPlace place = markedBy(UNSEEN, channel);
      OwnerMark.requireFree(file, place, TimeUnit.MILLISECONDS.toNanos(60));
      assertThat(place.read().knock()).isNotZero();
    }
  }

  @Test
  void shouldKnockAndLeaveWhatAnOwnerAnswersFor() throws Exception {
    Path file = directory.resolve("f");
    try (FileChannel channel = channel(file)) {
      MarkPlace place = markedBy(UNSEEN, channel);
      Thread owner = new Thread(() -> answer(channel));
      owner.start();
      assertThatThrownBy(() -> OwnerMark.requireFree(file, place, TimeUnit.MINUTES.toNanos(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it is held by a process of another container or machine");
      owner.join();
    }
  }

  private void answer(FileChannel channel) {
    try {
      MarkPlace place = new MarkPlace(channel, 0, 4096);
      for (Mark mark = place.read(); true; mark = place.read()) {
        if (mark != null && mark.knock() != 0) {
          place.write(mark.knocked(0));
          return;
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"flash", "mapped"})
  void shouldAnswerWhoeverKnocks(String kind) throws IOException {
    Path file = directory.resolve("f");
    try (Medium medium = open(kind, file);
        FileChannel channel = channel(file)) {
      MarkPlace place =
          new MarkPlace(channel, kind.equals("flash") ? 0 : channel.size() - 4096, 4096);
      Mark mark = place.read();
      place.write(mark.knocked(42));

      medium.check();

      assertThat(place.read()).isEqualTo(mark);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"flash", "mapped"})
  void shouldLeaveAMediumThatItLostAlone(String kind) throws IOException {
    Path file = directory.resolve("f");
    try (FileChannel channel = channel(file)) {
      Medium medium = open(kind, file);
      int granule = medium.alignmentBytes();
      takeOver(kind, channel);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(medium::check)
            .isInstanceOf(MediumLostException.class)
            .hasMessageContaining(file + " was taken over by another cache");
      }
      if (kind.equals("flash")) {
        assertThatThrownBy(() -> medium.write(0, ByteBuffer.allocate(granule)))
            .isInstanceOf(MediumLostException.class);
      }
      assertThatThrownBy(medium::close).hasRootCauseInstanceOf(MediumLostException.class);
      assertThat(file).as("another's").exists();
    }
  }

  /** As a cache of another machine does that shares the device. */
  private static void takeOver(String kind, FileChannel channel) throws IOException {
    boolean flash = kind.equals("flash");
    MarkPlace place = new MarkPlace(channel, flash ? 0 : channel.size() - 4096, 4096);
    place.write(
        new Mark(flash ? Mark.FLASH : Mark.MAPPED, channel.size(), UUID.randomUUID(), UNSEEN, 0));
  }

  @Test
  void shouldEndTheServiceOfACacheThatLostItsMedium() throws Exception {
    Path file = directory.resolve("f");
    try (BlockCache cache =
            BlockCache.builder()
                .flash(file, 8 << 20)
                .maxBlockBytes(4096)
                .admission(AdmissionPresets.admitAll())
                .maintainedByCaller()
                .testing(io.nvcache.TestHook.nanoTime(new SteppedClock()))
                .build();
        FileChannel channel = channel(file)) {
      takeOver("flash", channel);
      cache.control().maintain();
      CacheHealth health = cache.control().health();
      assertThat(health.state()).isEqualTo(CacheHealth.State.OUT_OF_SERVICE);
      assertThat(health.reason()).contains("was taken over by another cache");
      for (int i = 0; i < 600; i++) {
        cache.control().maintain();
      }
      assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.OUT_OF_SERVICE);
      assertThat(cache.offer(1, 0, ByteBuffer.allocate(4096), Source.READ))
          .isEqualTo(OfferResult.OUT_OF_SERVICE);
    }
    assertThat(file).exists();
  }

  /** A second with each look. */
  private static final class SteppedClock implements java.util.function.LongSupplier {
    private long nanos;

    @Override
    public long getAsLong() {
      return nanos += 1_000_000_000L;
    }
  }
}
