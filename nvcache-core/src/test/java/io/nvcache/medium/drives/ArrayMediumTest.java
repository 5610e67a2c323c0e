// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.control.DriveHealth;
import io.nvcache.medium.DriveException;
import io.nvcache.medium.Medium;
import io.nvcache.medium.SparseMedium;
import io.nvcache.medium.SparseMedium.Operation;
import io.nvcache.medium.drives.SparseDrives.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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

  /** Opens an array that has begun: all of its drives have joined. */
  private Medium begun(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      long capacity = SparseDrives.capacityBytes(REGIONS, REGION);
      media.add(new SparseMedium(capacity, PAGE, REGION));
      places.add(new Place("drive " + i, capacity, media.get(i)));
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
}
