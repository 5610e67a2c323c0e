// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.background.Waiting;
import io.nvcache.control.DriveHealth;
import io.nvcache.medium.DriveException;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.ForwardingMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.ReadBatch;
import io.nvcache.medium.SparseMedium;
import io.nvcache.medium.SparseMedium.Operation;
import io.nvcache.medium.drives.SparseDrives.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an array says of its drives, without a cache on it. */
@Timeout(60)
final class ArrayMediumTest {
  private static final int PAGE = 4096;
  private static final int REGION = 64 << 10;
  private static final int REGIONS = 4;

  /** More than any test looks. */
  private static final int NEVER = 1000;

  private final List<SparseMedium> media = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();

  /** Of superblocks that were written while a drive was taken back; by one thread at a time. */
  private int superblocks;

  /** A drive that knows what was asked of it. */
  private static final class Asked extends ForwardingMedium {
    final List<String> asked = new ArrayList<>();
    @Nullable Error atClose;

    Asked(Medium inner) {
      super(inner);
    }

    @Override
    public void prepareEncryption() {
      asked.add("encryption");
    }

    @Override
    public void prepareDiscards() {
      asked.add("discards");
    }

    @Override
    public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
      asked.add("write");
      super.write(offset, src, srcPosition, length);
    }

    @Override
    public void close() {
      asked.add("close");
      if (atClose != null) {
        throw atClose;
      }
      super.close();
    }
  }

  /** Opens an array that has begun: all of its drives have joined. */
  private Medium begun(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      long capacity = SparseDrives.capacityBytes(REGIONS, REGION);
      media.add(new SparseMedium(capacity, PAGE, REGION));
      places.add(new Place("drive " + i, capacity, new Asked(media.get(i))));
    }
    Medium array = SparseDrives.open(places, REGION);
    array.write(0, ByteBuffer.allocate(PAGE));
    return array;
  }

  private static long firstOf(int drive) {
    return ArrayDrive.SUPERBLOCKS_BYTES + (long) drive * REGIONS * REGION;
  }

  private static void readBoth(Medium array) throws IOException {
    for (int i = 0; i < 4; i++) {
      array.read(firstOf(0), ByteBuffer.allocate(PAGE), PAGE);
      array.read(firstOf(1), ByteBuffer.allocate(PAGE), PAGE);
    }
  }

  private static List<Boolean> serving(Medium array) {
    return array.drives().list().stream().map(DriveHealth::serves).toList();
  }

  /** Whatever the superblocks say: it may have the newest of all. */
  @Test
  void shouldHaveTheOthersKnowThatADriveIsLost() throws IOException {
    Medium array = begun(3);
    media
        .get(1)
        .interpose(
            (operation, offset) -> {
              if (operation == Operation.WRITE) {
                throw new IOException("injected");
              }
            });
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> array.write(firstOf(1), ByteBuffer.allocate(PAGE)))
          .isInstanceOf(DriveException.class);
    }
    assertThat(serving(array)).containsExactly(true, false, true);
    assertThat(array.drives().isLost(1)).as("before the others know").isFalse();

    array.drives().settle();

    assertThat(array.drives().isLost(1)).isTrue();
    for (int i = 0; i < media.size(); i++) {
      places.get(i).medium.set(media.get(i).afterPowerLoss());
    }
    try (Medium next = SparseDrives.open(places, REGION)) {
      assertThat(next.drives().origins()).isEqualTo(2);
      assertThat(serving(next)).containsOnly(true);
    }
    array.close();
  }

  /** Has the drives be looked at while one of four reads of this drive is inside. */
  private void lookInside(Medium array, int drive) {
    int[] reads = {0};
    media
        .get(drive)
        .interpose(
            (operation, offset) -> {
              if (operation == Operation.READ && ++reads[0] % 4 == 0) {
                array.drives().look(NEVER);
              }
            });
  }

  @Test
  void shouldLoseADriveThatIsMuchSlowerThanAnother() throws IOException {
    try (Medium array = begun(2)) {
      lookInside(array, 1);
      int looks = 0;
      for (; serving(array).get(1) && looks < 100; looks++) {
        readBoth(array);
      }
      assertThat(looks).isBetween(8, 40);
      assertThat(serving(array)).containsExactly(true, false);
      assertThat(array.drives().list().get(1).trouble())
          .containsPattern("reads take \\d+ ms, 10 times as long as on another drive");
    }
  }

  @Test
  void shouldKeepDrivesThatAreAllSlow() throws IOException {
    try (Medium array = begun(2)) {
      lookInside(array, 0);
      lookInside(array, 1);
      for (int looks = 0; looks < 200; looks++) {
        readBoth(array);
      }
      assertThat(serving(array)).containsOnly(true);
    }
  }

  private void lose(Medium array, int drive) throws IOException {
    media
        .get(drive)
        .interpose(
            (operation, offset) -> {
              throw new IOException("injected");
            });
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> array.write(firstOf(drive), ByteBuffer.allocate(PAGE)))
          .isInstanceOf(DriveException.class);
    }
    array.drives().settle();
    assertThat(array.drives().isLost(drive)).isTrue();
  }

  /** Else blocks of an earlier cache stay there in the clear, and the first discard fails. */
  @Test
  void shouldMakeADriveReadyAgainThatIsTakenBack() throws IOException {
    try (Medium array = begun(2)) {
      array.prepareEncryption();
      for (String first : List.of("encryption, write", "discards, encryption, write")) {
        lose(array, 1);
        media.set(1, new SparseMedium(places.get(1).medium.get().capacityBytes(), PAGE, REGION));
        Asked fresh = new Asked(media.get(1));
        places.get(1).medium.set(fresh);

        assertThat(array.drives().takeBack(1)).isTrue();

        assertThat(String.join(", ", fresh.asked)).startsWith(first);
        array.prepareDiscards();
      }
    }
  }

  /** A drive that may hold what was invalidated since must not count as one of the others. */
  @Test
  void shouldNotServeADriveThatCouldNotBeTakenBackForWantOfMemory() throws IOException {
    Medium array = begun(2);
    lose(array, 1);
    media
        .get(1)
        .interpose(
            (operation, offset) -> {
              if (operation == Operation.WRITE) {
                throw new OutOfMemoryError("injected");
              }
            });
    assertThatThrownBy(() -> array.drives().takeBack(1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(serving(array)).containsExactly(true, false);
    media.get(1).interpose((operation, offset) -> {});
    array.write(0, ByteBuffer.allocate(PAGE));
    assertThat(array.drives().isLost(1)).isTrue();

    assertThat(array.drives().takeBack(1)).isTrue();
    assertThat(serving(array)).containsOnly(true);
    array.close();
  }

  /** Or its file would be held until the process ends. */
  @Test
  void shouldCloseTheOthers_WhateverADriveThrows() throws IOException {
    Medium array = begun(2);
    Asked first = asked(0);
    first.atClose = new OutOfMemoryError("injected");
    assertThatThrownBy(array::close).isSameAs(first.atClose);
    assertThat(asked(1).asked).endsWith("close");
  }

  private Asked asked(int drive) {
    return (Asked) Objects.requireNonNull(places.get(drive).medium.get());
  }

  /** A file that is new is filled, which may take an hour; then all headers are looked at. */
  @Test
  void shouldWriteToTheOthersWhileADriveIsOpenedAndCleared() throws IOException {
    try (Medium array = begun(3)) {
      lose(array, 1);
      List<String> written = new ArrayList<>();
      places.get(1).opening.set(() -> written.add(writtenMeanwhile(array)));
      AtomicBoolean isFirst = new AtomicBoolean(true);
      media
          .get(1)
          .interpose(
              (operation, offset) -> {
                if (operation == Operation.WRITE && isFirst.getAndSet(false)) {
                  written.add(writtenMeanwhile(array));
                }
              });

      assertThat(array.drives().takeBack(1)).isTrue();

      assertThat(written).containsExactly("true, false, true", "true, false, true");
      assertThat(serving(array)).containsOnly(true);
      ByteBuffer superblock = ByteBuffer.allocate(PAGE);
      media.get(1).read(ArrayDrive.LABELS_BYTES, superblock, PAGE);
      assertThat(superblock.get(0)).as("of the superblocks").isEqualTo((byte) 2);
    }
  }

  /** Another thread's writes, and which drives serve then; empty if it can't write. */
  private String writtenMeanwhile(Medium array) {
    AtomicReference<String> serving = new AtomicReference<>("");
    Thread writer =
        new Thread(
            () -> {
              try {
                superblocks++;
                array.write(0, ByteBuffer.allocate(PAGE).put(0, (byte) superblocks));
                array.persist(0, PAGE);
                array.drives().settle();
                array.write(firstOf(0), ByteBuffer.allocate(PAGE));
                assertThat(array.drives().list().get(1).trouble()).contains("is opened again");
                serving.set(serving(array).toString().replaceAll("[\\[\\]]", ""));
              } catch (IOException e) {
                serving.set(e.toString());
              }
            });
    writer.setDaemon(true);
    writer.start();
    Waiting.join(writer, TimeUnit.SECONDS.toNanos(20));
    return serving.get();
  }

  /** At each step of it, by the end of the process or the loss of power. */
  @Test
  void shouldFindNothingOldOnADriveWhoseTakingBackWasCutShort() throws IOException {
    try (Medium array = begun(2)) {
      array.write(firstOf(1) + REGION, filled(1));
      array.persist(firstOf(1), REGION * 2);
      array.write(0, filled(1));
      array.persist(0, PAGE);
      lose(array, 1);
      array.write(0, filled(2));
      array.persist(0, PAGE);
      List<List<SparseMedium>> left = new ArrayList<>();
      for (SparseMedium medium : media) {
        medium.interpose(
            (operation, offset) -> {
              left.add(media.stream().map(SparseMedium::afterKill).toList());
              left.add(media.stream().map(SparseMedium::afterPowerLoss).toList());
            });
      }
      assertThat(array.drives().takeBack(1)).isTrue();
      media.forEach(medium -> medium.interpose((operation, offset) -> {}));
      assertThat(left).hasSizeGreaterThan(40);
      left.add(media.stream().map(SparseMedium::afterPowerLoss).toList());
      int counting = 0;
      for (List<SparseMedium> these : left) {
        for (int i = 0; i < these.size(); i++) {
          places.get(i).medium.set(these.get(i));
        }
        try (Medium next = SparseDrives.open(places, REGION)) {
          counting += next.drives().origins() == 2 ? 1 : 0;
          for (int origin = 0; origin < next.drives().origins(); origin++) {
            ByteBuffer superblock = ByteBuffer.allocate(PAGE);
            next.drives().readOrigin(origin, 0, superblock, 0, PAGE);
            assertThat(superblock).isEqualTo(filled(2));
          }
          ByteBuffer block = ByteBuffer.allocate(PAGE);
          next.read(firstOf(1) + REGION, block, PAGE);
          assertThat(block).isEqualTo(filled(0));
        }
      }
      assertThat(counting).as("it is back in the end").isBetween(1, left.size() / 2);
    }
  }

  /** Or a drive that is lost would count, at a start that finds no label but its own. */
  @Test
  void shouldHaveAWholeLabel_WhereverWritingItFails() throws IOException {
    try (Medium array = begun(2)) {
      lose(array, 1);
      array.write(0, filled(2));
    }
    SparseMedium lost = media.get(1).afterKill();
    for (int first = 0; first < 4; first++) {
      for (int second = 0; second < 4; second++) {
        SparseMedium left = media.get(0).afterKill();
        for (int written : new int[] {first, second}) {
          left = afterFailingAlone(left, written);
        }
        places.get(0).medium.set(left);
        places.get(1).medium.set(lost.afterKill());
        try (Medium next = SparseDrives.open(places, REGION)) {
          ByteBuffer superblock = ByteBuffer.allocate(PAGE);
          next.read(0, superblock, PAGE);
          assertThat(superblock).as("after %d and %d labels", first, second).isEqualTo(filled(2));
        }
      }
    }
  }

  /** What is left of a drive that was alone in an array, and failed after so many labels. */
  private SparseMedium afterFailingAlone(SparseMedium drive, int labels) throws IOException {
    places.get(0).medium.set(drive);
    places.get(1).medium.set(null);
    AtomicInteger left = new AtomicInteger(labels);
    try (Medium alone = SparseDrives.open(places, REGION)) {
      drive.interpose(
          (operation, offset) -> {
            if (operation == Operation.WRITE && left.getAndDecrement() <= 0) {
              throw new IOException("injected");
            }
          });
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(
                () -> {
                  alone.write(0, filled(2));
                  alone.write(firstOf(0), filled(2));
                })
            .isInstanceOf(IOException.class);
      }
    }
    return drive.afterKill();
  }

  private static ByteBuffer filled(int with) {
    byte[] bytes = new byte[PAGE];
    Arrays.fill(bytes, (byte) with);
    return ByteBuffer.wrap(bytes);
  }

  /** What is opened then is closed with the others, and none is opened later. */
  @Test
  void shouldCloseADriveThatIsTakenBackMeanwhile() throws Exception {
    Medium array = begun(2);
    lose(array, 1);
    media.get(1).interpose((operation, offset) -> {});
    Thread closing = new Thread(array::close);
    places
        .get(1)
        .opening
        .set(
            () -> {
              closing.start();
              while (closing.getState() == Thread.State.NEW
                  || closing.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
              }
            });
    array.drives().takeBack(1);
    closing.join();
    assertThat(asked(1).asked).endsWith("close");

    places
        .get(1)
        .opening
        .set(
            () -> {
              throw new AssertionError("opened after the end");
            });
    assertThat(array.drives().takeBack(1)).isFalse();
  }

  /** A thread that the system keeps from running on its way into a drive. */
  private static final class Held extends Thread {
    final CountDownLatch isOnItsWay = new CountDownLatch(1);
    final CountDownLatch mayContinue = new CountDownLatch(1);

    Held(Runnable work) {
      super(work);
    }

    @Override
    @SuppressWarnings("deprecation") // What a call is counted by.
    public long getId() {
      if (currentThread() == this && isOnItsWay.getCount() > 0) {
        isOnItsWay.countDown();
        try {
          mayContinue.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return super.getId();
    }
  }

  /** Its memory is given back: a read of it would end the JVM. */
  @Test
  void shouldNotReadADriveThatWasClosedToBeTakenBack() throws Exception {
    Medium array = begun(2);
    FaultyMedium before = new FaultyMedium(media.get(1));
    lose(array, 1);
    places.get(1).medium.set(before);
    media.get(1).interpose((operation, offset) -> {});
    assertThat(array.drives().takeBack(1)).isTrue();
    Held reader =
        new Held(
            () -> {
              ReadBatch batch = new ReadBatch(1);
              batch.add(firstOf(1), ByteBuffer.allocate(PAGE), PAGE);
              array.readAll(batch);
            });
    reader.start();
    reader.isOnItsWay.await();
    long batches = before.batches.get();
    lose(array, 1);
    places.get(1).medium.set(new SparseMedium(before.capacityBytes(), PAGE, REGION));
    assertThat(array.drives().takeBack(1)).isTrue();
    assertThat(before.closed.get()).isEqualTo(1);

    reader.mayContinue.countDown();
    reader.join();

    assertThat(before.batches.get()).as("reads after it was closed").isEqualTo(batches);
    array.close();
  }
}
