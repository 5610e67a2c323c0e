// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.Medium;
import io.nvcache.medium.drives.SparseDrives.Place;
import io.nvcache.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Labels of drives that were damaged, or edited and given a right sum: they are refused, or read as
 * something that an array can be opened by, and not for good.
 */
@Timeout(60)
final class ArrayLabelTest {
  private static final int REGION = 64 << 10;
  private static final int REGIONS = 2;
  private static final int DRIVES = 3;
  private static final int FUZZ = Integer.getInteger("nvcache.formatFuzz", 20_000);

  /** Whatever labels say, an array that was opened by them is whole after so many starts. */
  private static final int STARTS = 3;

  @Test
  void shouldBelieveNoLabelThatWasChanged() throws IOException {
    List<byte[]> labels = labels();
    Random random = new Random(25);
    for (int i = 0; i < FUZZ; i++) {
      byte[] label = labels.get(i % DRIVES).clone();
      label[random.nextInt(label.length)] ^= (byte) (1 << random.nextInt(8));
      assertThat(ArrayLabel.decode(ByteBuffer.wrap(label), 0)).isNull();
    }
  }

  @Test
  void shouldMakeAPlanOfAnyLabels() throws IOException {
    List<byte[]> sound = labels();
    int[] read = {0};
    Seeds.each(
        FUZZ,
        random -> {
          List<byte[]> labels = new ArrayList<>();
          for (byte[] label : sound) {
            labels.add(random.nextInt(3) == 0 ? label : edited(label, random));
          }
          read[0] += plan(labels);
        });
    assertThat(read[0]).as("labels that were read").isBetween(FUZZ, DRIVES * FUZZ - 1);
  }

  @Test
  void shouldBeWholeAgain_WhateverTheLabelsSay() throws IOException {
    List<byte[]> sound = labels();
    Seeds.each(
        Math.max(1, FUZZ / 100),
        random -> {
          List<byte[]> labels = new ArrayList<>();
          sound.forEach(label -> labels.add(edited(label, random)));
          open(labels);
        });
  }

  /** Returns the labels of an array that three starts have used. */
  static List<byte[]> labels() throws IOException {
    List<CrashDisk> disks = new ArrayList<>();
    for (int i = 0; i < DRIVES; i++) {
      disks.add(new CrashDisk((int) SparseDrives.capacityBytes(REGIONS, REGION)));
    }
    for (int start = 0; start < STARTS; start++) {
      start(disks);
    }
    return disks.stream().map(CrashDisk::afterKill).map(ArrayLabelTest::firstLabel).toList();
  }

  private static byte[] firstLabel(byte[] image) {
    return Arrays.copyOf(image, ArrayLabel.BYTES);
  }

  /** Starts once on drives, writes to the array, and returns how many drives counted. */
  private static int start(List<CrashDisk> disks) throws IOException {
    List<Place> places = new ArrayList<>();
    for (CrashDisk disk : disks) {
      places.add(new Place("drive " + places.size(), disk.capacityBytes(), disk));
    }
    try (Medium array = SparseDrives.open(places, REGION)) {
      int counting = array.drives().origins();
      array.write(0, ByteBuffer.allocateDirect(ArrayLabel.BYTES), 0, ArrayLabel.BYTES);
      return counting;
    }
  }

  /** Edits one to four fields, and makes the sum right. */
  private static byte[] edited(byte[] label, Random random) {
    byte[] edited = label.clone();
    ByteBuffer bytes = ByteBuffer.wrap(edited);
    int edits = 1 + random.nextInt(4);
    for (int i = 0; i < edits; i++) {
      int at = random.nextInt((56 + 24 * (DRIVES + 1)) / 4) * 4;
      int value =
          switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> 1 << random.nextInt(32);
            case 3 -> bytes.getInt(at) + random.nextInt(9) - 4;
            default -> random.nextInt();
          };
      bytes.putInt(at, value);
    }
    rightSums(edited);
    return edited;
  }

  /** Makes the sum of a label right, as who can write to the drive does. */
  static void rightSums(byte[] label) {
    CRC32C sum = new CRC32C();
    sum.update(label, 0, ArrayLabel.BYTES - 4);
    ByteBuffer.wrap(label).putInt(ArrayLabel.BYTES - 4, (int) sum.getValue());
  }

  /** Makes a plan of any labels, checks it, and returns how many labels were read. */
  static int plan(List<byte[]> labels) {
    List<@Nullable ArrayLabel> read = new ArrayList<>();
    for (byte[] label : labels) {
      ArrayLabel its = ArrayLabel.decode(ByteBuffer.wrap(label), 0);
      read.add(its);
      if (its != null) {
        its.own();
        assertThat(its.encoded().getLong(32)).isEqualTo(its.epoch()).isPositive();
      }
    }
    List<Integer> units = IntStream.range(0, labels.size()).mapToObj(i -> REGIONS).toList();
    ArrayPlan plan = ArrayPlan.of(read, units, REGION);
    assertThat(plan.numbers())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, labels.size()).boxed().toList());
    assertThat(plan.current().length()).isLessThanOrEqualTo(labels.size());
    assertThat(plan.current().isEmpty() || plan.newest() != null).isTrue();
    return (int) read.stream().filter(Objects::nonNull).count();
  }

  /** Starts on drives that have these labels, a number of times. */
  static void open(List<byte[]> labels) {
    List<CrashDisk> disks = new ArrayList<>();
    for (byte[] label : labels) {
      byte[] image = new byte[(int) SparseDrives.capacityBytes(REGIONS, REGION)];
      System.arraycopy(label, 0, image, 0, label.length);
      disks.add(new CrashDisk(image));
    }
    try {
      int counting = 0;
      for (int start = 0; start < STARTS; start++) {
        counting = start(disks);
      }
      assertThat(counting).as("drives that count in the last start").isEqualTo(labels.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
