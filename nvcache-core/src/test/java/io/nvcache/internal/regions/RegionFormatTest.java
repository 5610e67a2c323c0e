// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.FileIdentity;
import io.nvcache.internal.regions.RegionFooter.ListedFile;
import io.nvcache.internal.regions.Superblock.Geometry;
import io.nvcache.internal.regions.Superblock.Revoked;
import io.nvcache.internal.space.Sizing;
import io.nvcache.memory.AlignedBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The format on the medium, byte by byte. What a released version wrote lies in the golden files:
 * they change with the version of the format, and with nothing else.
 *
 * <p>{@code -Dnvcache.formatFuzz=10000000} tries as many damaged superblocks and footers.
 */
final class RegionFormatTest {
  private static final UUID INSTANCE = new UUID(0x0102030405060708L, 0x1112131415161718L);
  private static final FileIdentity FIRST = new FileIdentity(0x2122232425262728L, 0x3132L);
  private static final FileIdentity SECOND = new FileIdentity(-1, -2);
  private static final int FUZZ = Integer.getInteger("nvcache.formatFuzz", 20_000);

  private static final Sizing SIZING = Sizing.ofRegions(4 << 20, 64 << 10, 4096, 4096, 4096);
  private static final Geometry GEOMETRY = Geometry.of(SIZING, 4096);
  private static final int REGION = 3;
  private static final long GENERATION = 77;

  private static Superblock superblock() {
    return new Superblock(
        true,
        INSTANCE,
        5,
        1101,
        0x4142434445464748L,
        Geometry.of(SIZING, 4096),
        42,
        1_700_000_000_000L,
        123_456_789,
        9,
        ByteBuffer.allocate(0),
        List.of(4, 63),
        List.of(new Revoked(FIRST, 70), new Revoked(SECOND, 71)));
  }

  /** The same with a key, as blocks that are sealed have it. */
  private static Superblock sealed() {
    Superblock clear = superblock();
    return new Superblock(
        clear.clean(),
        clear.instance(),
        clear.sequence(),
        clear.generationLimit(),
        clear.hashSeed(),
        clear.geometry(),
        clear.nextFileNumber(),
        clear.millis(),
        clear.daySpareBytes(),
        clear.floor(),
        ByteBuffer.wrap(new byte[] {1, 2, 3}),
        clear.freeRegions(),
        clear.revoked());
  }

  @Test
  void shouldWriteTheWrappedKeyAsItIsDrawn() {
    ByteBuffer bytes = sealed().encoded(RegionCodec.CLEAR);
    assertThat(bytes.getInt(8)).isEqualTo(Superblock.SEALED_VERSION);
    assertThat(bytes.getShort(96)).isEqualTo((short) 3);
    assertThat(bytes.get(98)).isEqualTo((byte) 1);
    assertThat(bytes.get(100)).isEqualTo((byte) 3);
    assertThat(Superblock.decode(bytes, 0).superblock()).isEqualTo(sealed());
    assertThat(superblock().encoded(RegionCodec.CLEAR).getInt(8)).isEqualTo(Superblock.VERSION);
  }

  @Test
  void shouldNotTakeAKeyThatIsNoLength() {
    for (int length : new int[] {-1, 0, 127, Short.MAX_VALUE}) {
      ByteBuffer bytes = sealed().encoded(RegionCodec.CLEAR);
      bytes.putShort(96, (short) length);
      bytes.putLong(4088, FormatSum.of(bytes, 0, 4088));
      assertThat(Superblock.decode(bytes, 0).fault()).contains("damaged");
    }
  }

  private static long granule(int offsetInRegion) {
    return ((long) REGION * GEOMETRY.regionBytes() + offsetInRegion) / GEOMETRY.granuleBytes();
  }

  private static ByteBuffer footer() {
    RegionFooter.Builder footer = new RegionFooter.Builder(4096);
    ListedFile first = new ListedFile(FIRST, 6);
    footer.add(first, 0x5152535455L, granule(4096), 4000, 17, 0xCAFE_F00D);
    footer.add(new ListedFile(SECOND, 7), 0, granule(8192), 1, 0, 1);
    footer.add(first, 0x1_0000_0000_0000L, granule(8256), 4096, 255, -1);
    return footer.build(INSTANCE, REGION, GENERATION);
  }

  private static byte[] golden(String name) {
    String resource = "/io/nvcache/internal/space/" + name;
    try (InputStream file = RegionFormatTest.class.getResourceAsStream(resource)) {
      byte[] golden = file.readAllBytes();
      return HexFormat.of()
          .parseHex(new String(golden, StandardCharsets.US_ASCII).replaceAll("\\s", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Golden files leave out the zeros at their end, and in the middle of a footer. */
  private static void assertGolden(String name, ByteBuffer bytes, int skipFrom, int skipTo) {
    ByteBuffer squeezed =
        ByteBuffer.allocate(bytes.capacity() - (skipTo - skipFrom))
            .put(bytes.duplicate().clear().limit(skipFrom))
            .put(bytes.duplicate().clear().position(skipTo))
            .flip();
    for (int at = skipFrom; at < skipTo; at++) {
      assertThat(bytes.get(at)).as("byte %d", at).isZero();
    }
    assertThat(HexFormat.of().formatHex(squeezed.array()))
        .as(name)
        .isEqualTo(HexFormat.of().formatHex(golden(name)));
  }

  @Test
  void shouldWriteTheSuperblockAsBefore() {
    ByteBuffer bytes = superblock().encoded(RegionCodec.CLEAR);
    assertGolden("superblock-5.hex", bytes, 544, 4088);
    assertThat(Superblock.decode(bytes, 0).superblock()).isEqualTo(superblock());
  }

  /** The offsets of the drawing, not of the code. */
  @Test
  void shouldWriteTheSuperblockAsItIsDrawn() {
    ByteBuffer bytes = superblock().encoded(RegionCodec.CLEAR);
    assertThat(bytes.capacity()).isEqualTo(4096);
    assertThat(bytes.getInt(8)).as("version").isEqualTo(5);
    assertThat(bytes.getInt(12)).as("flags").isEqualTo(1);
    assertThat(bytes.getLong(16)).as("instance").isEqualTo(INSTANCE.getMostSignificantBits());
    assertThat(bytes.getLong(32)).as("sequence").isEqualTo(5);
    assertThat(bytes.getLong(40)).as("generation limit").isEqualTo(1101);
    assertThat(bytes.getLong(48)).as("hash seed").isEqualTo(0x4142434445464748L);
    assertThat(bytes.getLong(56)).as("capacity").isEqualTo(4 << 20);
    assertThat(bytes.getInt(64)).as("region").isEqualTo(64 << 10);
    assertThat(bytes.getInt(68)).as("granule").isEqualTo(64);
    assertThat(bytes.getInt(72)).as("alignment").isEqualTo(4096);
    assertThat(bytes.getInt(76)).as("next file number").isEqualTo(42);
    assertThat(bytes.getLong(80)).as("time").isEqualTo(1_700_000_000_000L);
    assertThat(bytes.getLong(88)).as("day's spare").isEqualTo(123_456_789);
    assertThat(bytes.getInt(224)).as("free").isEqualTo(2);
    assertThat(bytes.getInt(228)).as("revoked").isEqualTo(2);
    assertThat(bytes.getLong(232)).as("floor").isEqualTo(9);
    assertThat(bytes.getInt(244)).as("second free region").isEqualTo(63);
    assertThat(bytes.getLong(496)).as("first revoked").isEqualTo(FIRST.high());
    assertThat(bytes.getLong(536)).as("its second's generation").isEqualTo(71);
    for (int at = 96; at < 224; at++) {
      assertThat(bytes.get(at)).as("wrapped key").isZero();
    }
  }

  @Test
  void shouldWriteTheHeadersAsBefore() {
    ByteBuffer region = ByteBuffer.allocate(64);
    RegionLayout.putRegionHeader(
        region, 0, INSTANCE, REGION, GENERATION, 64 << 10, RegionCodec.CLEAR);
    assertGolden("region-header-2.hex", region, 56, 64);
    assertThat(region.getInt(12)).as("region").isEqualTo(REGION);
    assertThat(region.getLong(16)).as("generation").isEqualTo(GENERATION);
    assertThat(region.getLong(24)).as("bytes").isEqualTo(64 << 10);

    AlignedBuffer block = AlignedBuffer.allocate(4096, 4096);
    long stamp = RegionLayout.stamp(INSTANCE, GENERATION);
    RegionLayout.putBlockHeader(block, 0, 0x6162636465666768L, stamp, 4000, granule(4096), 99);
    ByteBuffer header = ByteBuffer.allocate(32).put(0, block.whole(), 0, 32);
    assertGolden("block-header-2.hex", header, 32, 32);
    assertThat(header.getLong(8)).isEqualTo(GENERATION ^ INSTANCE.getLeastSignificantBits());
  }

  @Test
  void shouldWriteTheFooterAsBefore() {
    ByteBuffer bytes = footer();
    assertGolden("footer-2.hex", bytes, 2 * 24 + 3 * 24, 4096 - 64);
    RegionFooter read = decode(bytes);
    assertThat(read).isNotNull();
    assertThat(read.files()).containsExactly(new ListedFile(FIRST, 6), new ListedFile(SECOND, 7));
    assertThat(read.blocks()).isEqualTo(3);
    assertThat(read.offset(0)).isEqualTo(0x5152535455L);
    assertThat(read.granule(1)).isEqualTo(granule(8192));
    assertThat(List.of(read.lengthBytes(0), read.lengthBytes(1), read.lengthBytes(2)))
        .containsExactly(4000, 1, 4096);
    assertThat(List.of(read.mark(0), read.mark(2))).containsExactly(17, 255);
    assertThat(read.sum(0)).isEqualTo(0xCAFE_F00D);
    assertThat(read.file(2)).isZero();
  }

  /** The offsets of the drawings, not of the code. */
  @Test
  void shouldWriteTheHeaderOfASealedRegionAsItIsDrawn() {
    RegionCipher cipher = RegionCipher.ephemeral(SIZING);
    ByteBuffer clear = ByteBuffer.allocate(4096);
    RegionLayout.putRegionHeader(
        clear, 0, INSTANCE, REGION, GENERATION, 64 << 10, RegionCodec.CLEAR);
    ByteBuffer one = ByteBuffer.allocate(4096);
    RegionLayout.putRegionHeader(one, 0, INSTANCE, REGION, GENERATION, 64 << 10, cipher);
    ByteBuffer other = ByteBuffer.allocate(4096);
    RegionLayout.putRegionHeader(other, 0, INSTANCE, REGION, GENERATION, 64 << 10, cipher);

    assertThat(one.getInt(8)).as("version").isEqualTo(3);
    assertThat(one.slice(12, 36)).as("up to the salt").isEqualTo(clear.slice(12, 36));
    assertThat(one.slice(48, 32)).as("salt").isNotEqualTo(other.slice(48, 32));
    assertThat(one.slice(80, 16)).as("tag").isNotEqualTo(other.slice(80, 16));
    assertThat(one.slice(96, 4000)).as("the rest").isEqualTo(ByteBuffer.allocate(4000));
    for (int at = 0; at < 96; at++) {
      assertThat(isValid(one, cipher)).isTrue();
      one.put(at, (byte) (one.get(at) ^ 1));
      assertThat(isValid(one, cipher)).as("byte %d", at).isFalse();
      one.put(at, (byte) (one.get(at) ^ 1));
    }
    assertThat(isValid(one, RegionCipher.ephemeral(SIZING))).as("another key").isFalse();
    assertThat(isValid(clear, cipher)).as("in the clear").isFalse();
  }

  private static boolean isValid(ByteBuffer header, RegionCipher cipher) {
    return RegionLayout.judgeRegionHeader(
            header, 0, INSTANCE, REGION, 64 << 10, cipher, GENERATION + 1)
        == RegionLayout.Header.VALID;
  }

  @Test
  void shouldProveASealedSuperblock() {
    RegionCipher cipher = RegionCipher.ephemeral(SIZING);
    ByteBuffer bytes = sealed().encoded(cipher);
    assertThat(Superblock.decode(bytes, 0).superblock()).isEqualTo(sealed());
    assertThat(bytes.slice(4072, 16)).isNotEqualTo(ByteBuffer.allocate(16));
    assertThat(Superblock.isProven(bytes, 0, cipher)).isTrue();
    assertThat(Superblock.isProven(bytes, 0, RegionCipher.ephemeral(SIZING))).isFalse();
    for (int at = 0; at < 4088; at++) {
      bytes.put(at, (byte) (bytes.get(at) ^ 1));
      assertThat(Superblock.isProven(bytes, 0, cipher)).as("byte %d", at).isFalse();
      bytes.put(at, (byte) (bytes.get(at) ^ 1));
    }
  }

  /** Counts whose products are more than an int holds. */
  @Test
  void shouldNotTakeAFooterThatIsLongerThanItsRegion() {
    Geometry large = new Geometry((1L << 34) + 8192, 1 << 30, 64, 4096);
    assertThat(large.isPossible()).isTrue();
    for (int blocks : new int[] {(1 << 30) / 24 - 1, (1 << 30) / 64, Integer.MAX_VALUE, -1}) {
      ByteBuffer tail = footer().putInt(4096 - 24, blocks).putInt(4096 - 20, blocks);
      assertThat(RegionFooter.tail(tail, 4096, INSTANCE, large).footerBytes()).isZero();
    }
  }

  private static @Nullable RegionFooter decode(ByteBuffer bytes) {
    return RegionFooter.decode(bytes, INSTANCE, REGION, GENERATION, GEOMETRY);
  }

  @ParameterizedTest
  @CsvSource({"4, 77", "3, 76", "3, 78"})
  void shouldNotTakeAFooterForThatOfAnotherRegionOrGeneration(int region, long generation) {
    assertThat(RegionFooter.decode(footer(), INSTANCE, region, generation, GEOMETRY)).isNull();
  }

  @Test
  void shouldNotTakeAFooterOfAnotherInstance() {
    UUID other = new UUID(INSTANCE.getMostSignificantBits(), 1);
    assertThat(RegionFooter.decode(footer(), other, REGION, GENERATION, GEOMETRY)).isNull();
  }

  /** A footer that is whole and was not made by this code, or for another allocator. */
  @Test
  void shouldNotTakeBlocksThatOverlapOrLeaveTheirRegion() {
    ListedFile file = new ListedFile(FIRST, 1);
    int[][] impossible = {{0, 100}, {4096, 4096, 4096 + 64, 64}, {-4096, 64}, {65536 - 4096, 64}};
    for (int[] blocks : impossible) {
      RegionFooter.Builder footer = new RegionFooter.Builder(4096);
      for (int i = 0; i < blocks.length; i += 2) {
        footer.add(file, 4096L * i, granule(blocks[i]), blocks[i + 1], 1, 1);
      }
      assertThat(decode(footer.build(INSTANCE, REGION, GENERATION))).isNull();
    }
  }

  @Test
  void shouldLeaveOutWhatFindsNoRoom() {
    RegionFooter.Builder footer = new RegionFooter.Builder(RegionLayout.footerBytes(1));
    int listed = 0;
    int at = 4096;
    while (footer.add(new ListedFile(new FileIdentity(0, listed), 1), 0, granule(at), 32, 0, 0)) {
      listed++;
      at += 64;
    }
    assertThat(listed).isEqualTo((4096 - 64) / 48);
    assertThat(decode(footer.build(INSTANCE, REGION, GENERATION)).blocks()).isEqualTo(listed);
  }

  @Test
  void shouldSayWhyAnOlderFormatIsNotRead() {
    ByteBuffer bytes = superblock().encoded(RegionCodec.CLEAR).putInt(8, 1);
    assertThat(Superblock.decode(bytes, 0).superblock()).isNull();
    assertThat(Superblock.decode(bytes, 0).fault()).contains("version 1").contains("reads 5");
  }

  /** Whole, and its sum is right: its blocks have headers where none are looked for any more. */
  @Test
  void shouldNotReadWhatTheLastVersionWroteInTheClear() {
    byte[] squeezed = golden("superblock-2.hex");
    ByteBuffer bytes = ByteBuffer.allocate(4096).put(0, squeezed, 0, 544);
    bytes.put(4088, squeezed, 544, 8);
    assertThat(bytes.getLong(4088)).as("sum").isEqualTo(FormatSum.of(bytes, 0, 4088));
    assertThat(Superblock.decode(bytes, 0).superblock()).isNull();
    assertThat(Superblock.decode(bytes, 0).fault())
        .isEqualTo(
            "its format is version 2, with a header next to each block, which is not read any more;"
                + " what is written now is version 5");
  }

  @Test
  void shouldBelieveNothingThatWasChanged() {
    SplittableRandom random = new SplittableRandom(25);
    ByteBuffer superblock = superblock().encoded(RegionCodec.CLEAR);
    ByteBuffer footer = footer();
    for (int i = 0; i < FUZZ; i++) {
      ByteBuffer damagedSuperblock = damaged(superblock, random);
      assertThat(Superblock.decode(damagedSuperblock, 0).superblock()).isNull();
      assertThat(decode(damaged(footer, random))).isNull();
    }
  }

  private static ByteBuffer damaged(ByteBuffer whole, SplittableRandom random) {
    ByteBuffer damaged = ByteBuffer.allocate(whole.capacity()).put(0, whole, 0, whole.capacity());
    while (damaged.equals(whole.duplicate().clear())) {
      int at = random.nextInt(whole.capacity());
      switch (random.nextInt(4)) {
        case 0 -> damaged.put(at, (byte) (damaged.get(at) ^ 1 << random.nextInt(8)));
        case 1 -> damaged.put(at, (byte) random.nextInt());
        case 2 -> { // A sector that is not there, or is another one.
          int sector = at & -512;
          int other = random.nextInt(whole.capacity()) & -512;
          damaged.put(sector, random.nextBoolean() ? new byte[512] : bytes(whole, other));
        }
        default -> damaged.putInt(at & -4, random.nextInt(64));
      }
    }
    return damaged;
  }

  private static byte[] bytes(ByteBuffer from, int at) {
    byte[] sector = new byte[512];
    from.get(at, sector);
    return sector;
  }
}
