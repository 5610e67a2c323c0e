// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.Lane;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogRecord;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PendingPagesTest {
  private static final int LANES = 2;
  private static final int PAGES = 40;
  private static final int FILES = 2;
  private static final int BYTES = PAGES * PageKeys.PAGE_BYTES;

  @TempDir private Path directory;
  private final byte[][] newest = new byte[FILES][BYTES];
  private final byte[][] disk = new byte[FILES][BYTES];

  /** Where a record is, in the order of numbers. */
  private record Place(int lane, long end) {}

  /** Against arrays, with a table so small that pages stand in each other's places. */
  @Test
  void shouldHoldWhatTheDiskLacks() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    LogLayout layout = new LogLayout(LANES, 1 << 20, 16, 1, 0);
    try (LogFile log =
        LogFile.open(
            directory.resolve("log"), layout, Persistence.PAGE_CACHE, Durability.PROCESS_CRASH)) {
      PendingPages pages = PendingPages.of(log, layout, 128);
      Lane[] lanes = new Lane[LANES];
      for (int i = 0; i < LANES; i++) {
        lanes[i] = new Lane(i, log.lane(i), 1, layout.logId(), 0);
      }
      Deque<Place> places = new ArrayDeque<>();
      for (int step = 1; step < 20_000; step++) {
        if (random.nextInt(30) == 0) {
          drain(pages, lanes, places, random.nextInt(places.size() + 1));
        }
        write(pages, lanes[random.nextInt(LANES)], places, step, random);
        if (step % 50 == 0) {
          assertThat(read(pages)).as("seed %d, step %d", seed, step).isEqualTo(newest);
        }
      }
      drain(pages, lanes, places, places.size());
      assertThat(disk).as("seed %d", seed).isEqualTo(newest);
      assertThat(pages.used()).as("seed %d", seed).isZero();
      assertThat(pages.all()).isEmpty();
    }
  }

  private void write(PendingPages pages, Lane lane, Deque<Place> places, int seq, Random random)
      throws IOException {
    int slot = random.nextInt(FILES);
    boolean whole = random.nextBoolean();
    int at =
        whole
            ? random.nextInt(PAGES) * PageKeys.PAGE_BYTES
            : random.nextInt(BYTES - PageKeys.PAGE_BYTES);
    byte[] bytes = new byte[whole ? PageKeys.PAGE_BYTES : 1 + random.nextInt(3000)];
    random.nextBytes(bytes);
    int touched = PageKeys.pages(at, bytes.length);
    if (!lane.fits(bytes.length) || !pages.tryReserve(touched)) {
      return; // A drain comes.
    }
    long lsn =
        lane.append(
            LogRecord.WRITE,
            seq,
            FileTable.idOf(slot, 1),
            at,
            new ByteBuffer[] {ByteBuffer.wrap(bytes)},
            0,
            bytes.length,
            0);
    pages.add(slot, lane.index(), lsn, at, bytes.length);
    places.add(new Place(lane.index(), lane.head()));
    System.arraycopy(bytes, 0, newest[slot], at, bytes.length);
  }

  private byte[][] read(PendingPages pages) {
    byte[][] read = new byte[FILES][];
    for (int slot = 0; slot < FILES; slot++) {
      ByteBuffer target = ByteBuffer.wrap(disk[slot].clone());
      assertThat(pages.overlay(pages.version(), slot, target, 0, 0, BYTES)).isTrue();
      read[slot] = target.array();
    }
    return read;
  }

  private void drain(PendingPages pages, Lane[] lanes, Deque<Place> places, int count) {
    long[] tails = Arrays.stream(lanes).mapToLong(Lane::tail).toArray();
    long[] ends = tails.clone();
    for (int i = 0; i < count; i++) {
      Place place = places.remove();
      ends[place.lane()] = place.end();
    }
    long[] keys = pages.between(tails, ends);
    for (long key : keys) {
      ByteBuffer file = ByteBuffer.wrap(disk[PageKeys.slotOf(key)]);
      for (PendingPages.Part part : pages.parts(key, ends)) {
        part.lane().get(part.at(), file, (int) part.offset(), part.length());
      }
    }
    pages.trim(keys, ends);
    for (Lane lane : lanes) {
      lane.free(ends[lane.index()]);
    }
  }
}
