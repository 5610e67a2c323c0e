// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.Checksum;
import io.nvcache.PolicyPreset;
import io.nvcache.TestHook;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.RandomAccessInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the delegate and the medium do: the right bytes, or the delegate's own exception. */
final class InjectedFaultsTest {
  private static final int BLOCK_BYTES = 256;
  private static final int CAPACITY_BYTES = 1 << 20;
  private static final int MAX_LENGTH = 40 * BLOCK_BYTES;
  private static final int STEPS = 400;
  private static final List<IOContext> CONTEXTS =
      List.of(
          IOContext.READONCE, IOContext.DEFAULT, IOContext.merge(new MergeInfo(1, 1, false, -1)));

  @Test
  void shouldReadTheRightBytesWhereTheDelegateFails() {
    Seeds.each(150, random -> play(random, 2 + random.nextInt(20), null, true));
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "READ_ERROR",
        "READ_THROWS",
        "READ_GONE",
        "BIT_FLIP",
        "WRITE_ERROR",
        "WRITE_THROWS",
        "WRITE_GONE",
        "TORN_WRITE",
        "FLIPPED_WRITE",
        "OUT_OF_SPACE"
      })
  void shouldReadTheRightBytesWhereTheMediumFails(Fault fault) {
    Seeds.each(15, random -> play(random, 0, fault, false));
    Seeds.each(15, random -> play(random, 5, fault, false));
  }

  private static void play(Random random, int failOneOf, Fault fault, boolean addresses) {
    try {
      boolean inPlace = addresses && fault == null;
      FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(CAPACITY_BYTES));
      medium.showAddresses = addresses;
      BlockCache blocks =
          BlockCache.builder()
              .medium(medium)
              .maxBlockBytes(4096)
              .expectedBlockBytes(BLOCK_BYTES)
              .checksum(random.nextBoolean() && inPlace ? Checksum.NONE : Checksum.CRC32C)
              .policies(PolicyPreset.ADMIT_ALL)
              .maxMediumFailures(1 << 20)
              .testing(TestHook.hashSeed(random.nextLong()))
              .build();
      LuceneCache cache = LuceneCache.builder(blocks).anyBlockBytes(BLOCK_BYTES).build();
      FaultyDirectory delegate = new FaultyDirectory(new ByteBuffersDirectory());
      try (NvCacheDirectory directory = new NvCacheDirectory(delegate, cache)) {
        byte[] bytes = write(directory, random);
        if (fault != null) {
          medium.inject(fault);
        }
        try (IndexInput whole = directory.openInput("file", IOContext.DEFAULT)) {
          delegate.failOneOf = failOneOf;
          new Reading(random, bytes, whole).run();
        }
      }
      TestCaches.close(cache);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] write(NvCacheDirectory directory, Random random) throws IOException {
    byte[] bytes = new byte[1 + random.nextInt(MAX_LENGTH)];
    random.nextBytes(bytes);
    try (IndexOutput out = directory.createOutput("file", IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
    return bytes;
  }

  /** An input, and the first byte of the file that it shows. */
  private record View(IndexInput input, int start) {}

  /** Random calls of many inputs over one file, compared with its bytes. */
  private static final class Reading {
    private final Random random;
    private final byte[] bytes;
    private final List<View> views = new ArrayList<>();
    private int right;

    Reading(Random random, byte[] bytes, IndexInput whole) {
      this.random = random;
      this.bytes = bytes;
      views.add(new View(whole, 0));
    }

    void run() throws IOException {
      for (int i = 0; i < STEPS; i++) {
        View view = views.get(random.nextInt(views.size()));
        try {
          step(view);
        } catch (IOException e) {
          assertThat(e).hasMessage(FaultyDirectory.INJECTED);
        }
      }
      assertThat(right).as("reads that were compared").isPositive();
    }

    private void step(View view) throws IOException {
      IndexInput in = view.input();
      int length = (int) in.length();
      int at = random.nextInt(length);
      int count = Math.min(length - at, 1 + random.nextInt(3 * BLOCK_BYTES));
      switch (random.nextInt(10)) {
        case 0 -> views.add(new View(in.clone(), view.start()));
        case 1 -> views.add(new View(in.slice("part", at, count), view.start() + at));
        case 2 -> in.prefetch(at, count);
        case 3 -> readAt((RandomAccessInput) in, view, at, length);
        case 4 -> { // A read that fails must not pass for done when it is tried again.
          in.seek(at);
          try {
            expect(in.readByte(), view, at);
          } catch (IOException e) {
            expect(in.readByte(), view, at);
          }
        }
        case 5 -> in.updateIOContext(CONTEXTS.get(random.nextInt(CONTEXTS.size())));
        case 6, 7 -> {
          in.seek(at);
          readNumbers(in, view, at, Math.min(length - at, count));
        }
        default -> {
          in.seek(at);
          byte[] read = new byte[count];
          in.readBytes(read, 0, count);
          int from = view.start() + at;
          assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, from, from + count));
          right++;
        }
      }
    }

    private ByteBuffer expected(View view) {
      return ByteBuffer.wrap(bytes, view.start(), bytes.length - view.start())
          .slice()
          .order(ByteOrder.LITTLE_ENDIAN);
    }

    private void readAt(RandomAccessInput in, View view, int at, int length) throws IOException {
      ByteBuffer expected = expected(view);
      expect(in.readByte(at), view, at);
      if (length - at >= Long.BYTES) {
        assertThat(in.readShort(at)).isEqualTo(expected.getShort(at));
        assertThat(in.readInt(at)).isEqualTo(expected.getInt(at));
        assertThat(in.readLong(at)).isEqualTo(expected.getLong(at));
        byte[] read = new byte[length - at];
        in.readBytes(at, read, 0, read.length);
        int from = view.start() + at;
        assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, from, from + read.length));
      }
    }

    private void readNumbers(IndexInput in, View view, int at, int count) throws IOException {
      ByteBuffer expected = expected(view);
      int position = at;
      int longs = count / 4 / Long.BYTES;
      long[] read = new long[longs];
      in.readLongs(read, 0, longs);
      for (int i = 0; i < longs; i++, position += Long.BYTES) {
        assertThat(read[i]).isEqualTo(expected.getLong(position));
      }
      int[] ints = new int[longs + 3];
      in.readInts(ints, 1, longs);
      for (int i = 0; i < longs; i++, position += Integer.BYTES) {
        assertThat(ints[i + 1]).isEqualTo(expected.getInt(position));
      }
      float[] floats = new float[longs];
      in.readFloats(floats, 0, longs);
      for (int i = 0; i < longs; i++, position += Float.BYTES) {
        assertThat(Float.floatToRawIntBits(floats[i])).isEqualTo(expected.getInt(position));
      }
      for (int i = 0; i < longs && position + Long.BYTES <= at + count; i++) {
        assertThat(in.readShort()).isEqualTo(expected.getShort(position));
        assertThat(in.readByte()).isEqualTo(expected.get(position + Short.BYTES));
        position += Short.BYTES + Byte.BYTES;
        if (position + Long.BYTES <= at + count) {
          assertThat(in.readLong()).isEqualTo(expected.getLong(position));
          position += Long.BYTES;
        }
      }
      assertThat(in.getFilePointer()).isEqualTo(position);
      right++;
    }

    private void expect(byte read, View view, int at) {
      assertThat(read).isEqualTo(bytes[view.start() + at]);
      right++;
    }
  }
}
