// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.MappedFileMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the file of a closed cache still holds, seen through a second name of it. */
final class WipeAtCloseTest {
  /** The owner's mark, behind the blocks. */
  private static final int MARK_BYTES = 4096;

  private static final int LENGTH = 4096;
  private static final String SECRET = "4111 1111 1111 1111";

  @TempDir Path directory;
  private final AtomicLong now = new AtomicLong();
  private Path file;
  private Path otherName;
  private BlockCache cache;

  @BeforeEach
  void open() throws IOException {
    file = directory.resolve("file");
    otherName = directory.resolve("link");
    cache = build(CloseAction.WIPE);
    Files.createLink(otherName, file);
    assertThat(stored()).contains(SECRET);
  }

  private BlockCache build(CloseAction atClose) throws IOException {
    BlockCache built =
        BlockCache.builder()
            .medium(MappedFileMedium.create(file, 1 << 20, atClose))
            .maxBlockBytes(LENGTH)
            .admission(AdmissionPresets.admitAll())
            .testing(TestHook.nanoTime(now::get))
            .maintainedByCaller()
            .build();
    ByteBuffer block = ByteBuffer.allocate(LENGTH);
    block.put(SECRET.getBytes(StandardCharsets.US_ASCII)).rewind();
    built.offer(1, 0, block, Source.READ);
    return built;
  }

  private String stored() throws IOException {
    return Files.readString(otherName, StandardCharsets.ISO_8859_1);
  }

  private PinnedBlock pin() {
    return Objects.requireNonNull(cache.pin(1, 0));
  }

  private void assertWiped() throws IOException {
    assertThat(file).doesNotExist();
    assertThat(Files.readAllBytes(otherName)).hasSize((1 << 20) + MARK_BYTES).containsOnly(0);
  }

  @Test
  void shouldWipeThoughAViewIsLeft() throws IOException {
    ByteBuffer view;
    try (PinnedBlock pin = pin()) {
      view = pin.buffer();
    }

    cache.close();

    assertWiped();
    assertThat(view.get(0)).as("mapped as long as the view is there").isZero();
  }

  @Test
  void shouldWipeThoughAnotherThreadClosedAPin() throws Exception {
    PinnedBlock pin = pin();
    Thread other = new Thread(pin::close);
    other.start();
    other.join();

    cache.close();

    assertWiped();
  }

  @Test
  void shouldWipeThoughTheThreadThatClosesIsInterrupted() throws IOException {
    Thread.currentThread().interrupt();

    cache.close();

    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertWiped();
  }

  @Test
  void shouldWipeThoughTheThreadThatClosesTheLastPinIsInterrupted() throws IOException {
    PinnedBlock pin = pin();
    cache.close();
    Thread.currentThread().interrupt();

    pin.close();

    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertWiped();
  }

  @Test
  void shouldWipeThoughInterruptsArriveMeanwhile() throws Exception {
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread closing =
        new Thread(
            () -> {
              cache.close();
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    closing.start();
    while (closing.isAlive()) {
      closing.interrupt();
    }

    assertThat(interrupted).isTrue();
    assertWiped();
  }

  @Test
  void shouldDeleteThoughTheThreadThatClosesIsInterrupted() throws IOException {
    cache.close();
    cache = build(CloseAction.DELETE);
    Thread.currentThread().interrupt();

    cache.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(file).doesNotExist();
  }

  @Test
  void shouldStayInServiceAndWipeThoughAnInterruptedThreadMaintains() throws IOException {
    Thread.currentThread().interrupt();
    for (int second = 0; second < 3; second++) {
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      cache.control().maintain();
    }
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(cache.control().health().outages()).isZero();
    assertThat(cache.get(1, 0, ByteBuffer.allocate(LENGTH))).isEqualTo(LENGTH);

    cache.close();

    assertWiped();
  }

  @Test
  void shouldKeepTheBlockForAnOpenPinAndWipeWithIt() throws IOException {
    PinnedBlock pin = pin();
    ByteBuffer view = pin.buffer();
    cache.close();
    assertThat(file).exists();
    assertThat(view.get(0)).isEqualTo((byte) SECRET.charAt(0));
    assertThat(pin.getLong(0)).isNotZero();

    pin.close();

    assertWiped();
    assertThat(view.get(0)).isZero();
  }

  @Test
  void shouldDeleteAndKeepThoughAViewIsLeft() throws IOException {
    for (CloseAction atClose : new CloseAction[] {CloseAction.DELETE, CloseAction.KEEP}) {
      cache.close();
      file = directory.resolve(atClose.name());
      cache = build(atClose);
      ByteBuffer view;
      try (PinnedBlock pin = pin()) {
        view = pin.buffer();
      }

      cache.close();

      assertThat(Files.exists(file)).isEqualTo(atClose == CloseAction.KEEP);
      assertThat(view.get(0)).isEqualTo((byte) SECRET.charAt(0));
    }
  }

  @Test
  void shouldWipeEncryptedBytesAlike() throws IOException {
    cache.close();
    Files.delete(otherName);
    cache =
        BlockCache.builder()
            .medium(MappedFileMedium.create(file, 1 << 20, CloseAction.WIPE))
            .encrypted()
            .maxBlockBytes(LENGTH)
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build();
    cache.offer(1, 0, ByteBuffer.allocate(LENGTH), Source.READ);
    Files.createLink(otherName, file);
    assertThat(Files.readAllBytes(otherName)).isNotEqualTo(new byte[1 << 20]);

    cache.close();

    assertWiped();
  }
}
