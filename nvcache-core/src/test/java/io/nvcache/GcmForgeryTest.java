// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.GhashPolynomial.Element;
import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.KeySource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The attack of who writes to a sealed medium and has no key: he keeps a copy, puts it back once
 * the cache has gone on, and compares what two lives from one state have written. Where both have
 * used a nonce under one key, the streams cancel, and the authentication key follows from the
 * footers.
 */
@Timeout(60)
final class GcmForgeryTest {
  private static final int CAPACITY = 1 << 20;
  private static final int PAGE = 4096;
  private static final int LENGTH = 1000;

  private final KeySource keys = new CraftedMedium.Keys();

  /** A sealed block or footer: what it is bound to, and the tag, of 12 or 16 bytes. */
  private record Sealed(byte[] bound, byte[] bytes, byte[] tag) {
    List<Element> blocks() {
      return GhashPolynomial.blocks(bound, bytes);
    }
  }

  private byte[] live(byte[] image, long file, int fill) {
    CrashDisk disk = new CrashDisk(image);
    try (BlockCache cache = WarmRestartTest.builder(disk).encrypted(keys).build()) {
      cache.control().maintain();
      cache.identify(file, FileIdentity.of("forgery", Long.toString(file)));
      for (int block = 0; block < 5; block++) {
        byte[] bytes = new byte[LENGTH];
        Arrays.fill(bytes, (byte) (fill + block));
        cache.offer(file, (long) block * PAGE, ByteBuffer.wrap(bytes), Source.READ);
      }
    }
    return disk.afterKill();
  }

  /** Returns the blocks by generation and place. */
  private static Map<List<Long>, Sealed> blocks(byte[] image) {
    ByteBuffer bytes = ByteBuffer.wrap(image);
    Map<List<Long>, Sealed> blocks = new HashMap<>();
    for (int header : CraftedImage.regionHeaders(image)) {
      long generation = bytes.getLong(header + 16);
      long stamp = generation ^ bytes.getLong(header + 40);
      for (int at = header + PAGE; bytes.getLong(at + 8) == stamp; ) {
        int length = bytes.getInt(at + 16);
        ByteBuffer bound = ByteBuffer.allocate(24).put(0, bytes, at, 20);
        bound.putInt(20, (at - CraftedImage.REGIONS_AT) / 64);
        blocks.put(
            List.of(generation, (long) at),
            new Sealed(
                bound.array(),
                Arrays.copyOfRange(image, at + 32, at + 32 + length),
                Arrays.copyOfRange(image, at + 20, at + 32)));
        at += (32 + length + 63) & -64;
      }
    }
    return blocks;
  }

  private static Map<List<Long>, Sealed> footers(byte[] image) {
    Map<List<Long>, Sealed> footers = new HashMap<>();
    for (int head : CraftedImage.footerHeads(image)) {
      footers.put(
          List.of(ByteBuffer.wrap(image).getLong(head + 16), (long) head),
          new Sealed(
              Arrays.copyOfRange(image, head, head + 48),
              Arrays.copyOfRange(image, CraftedImage.footerBegin(image, head), head),
              Arrays.copyOfRange(image, head + 48, head + 64)));
    }
    return footers;
  }

  private static List<Sealed[]> pairs(Map<List<Long>, Sealed> one, Map<List<Long>, Sealed> other) {
    List<Sealed[]> pairs = new ArrayList<>();
    one.forEach(
        (place, its) -> {
          Sealed there = other.get(place);
          if (there != null && !Arrays.equals(there.bytes, its.bytes)) {
            pairs.add(new Sealed[] {its, there});
          }
        });
    return pairs;
  }

  /** Returns whether two blocks, each of one byte all over, were sealed with one stream. */
  private static boolean cancels(Sealed[] pair) {
    for (int i = 0; i < pair[0].bytes.length; i++) {
      if ((pair[0].bytes[i] ^ pair[1].bytes[i]) != (pair[0].bytes[0] ^ pair[1].bytes[0])) {
        return false;
      }
    }
    return true;
  }

  /** Returns the authentication key, if it is one that all of these were sealed with. */
  private static @Nullable Element key(Sealed[] longTagged, List<Sealed[]> others) {
    List<Element> found =
        GhashPolynomial.keys(
            longTagged[0].blocks(),
            Element.of(longTagged[0].tag, 0),
            longTagged[1].blocks(),
            Element.of(longTagged[1].tag, 0));
    for (Element key : found) {
      if (others.stream().allMatch(pair -> explains(key, pair))) {
        return key;
      }
    }
    return null;
  }

  private static boolean explains(Element key, Sealed[] pair) {
    Element hashes =
        GhashPolynomial.hash(pair[0].blocks(), key)
            .plus(GhashPolynomial.hash(pair[1].blocks(), key));
    Element tags = Element.of(pair[0].tag, 0).plus(Element.of(pair[1].tag, 0));
    int bits = Long.SIZE - (pair[0].tag.length - Long.BYTES) * Byte.SIZE;
    return hashes.high() == tags.high() && hashes.low() >>> bits == tags.low() >>> bits;
  }

  @Test
  void shouldGiveNoKeyAway_WhenTheMediumIsSetBack() {
    byte[] copy = live(new byte[CAPACITY], 1, 'a');
    byte[] first = live(copy.clone(), 7, 'A');
    byte[] second = live(copy.clone(), 9, '0');

    List<Sealed[]> blocks = pairs(blocks(first), blocks(second));
    List<Sealed[]> footers = pairs(footers(first), footers(second));

    assertThat(blocks).as("blocks of one generation and place").hasSize(5);
    assertThat(footers).hasSize(1);
    assertThat(blocks).noneMatch(GcmForgeryTest::cancels);
    assertThat(key(footers.get(0), blocks)).isNull();
  }

  /** The attack is one: with one key and one nonce, it finds the key. */
  @Test
  void shouldFindTheKeyOfTwoMessagesThatShareANonce() throws GeneralSecurityException {
    SecretKeySpec secret =
        new SecretKeySpec("0123456789abcdef".repeat(2).getBytes(StandardCharsets.US_ASCII), "AES");
    List<Sealed[]> pairs = new ArrayList<>();
    for (int tagBytes : new int[] {16, 12}) {
      byte[] nonce = new byte[12];
      nonce[0] = (byte) tagBytes;
      pairs.add(
          new Sealed[] {
            sealed(secret, nonce, tagBytes, "some bytes that are secret, and so on"),
            sealed(secret, nonce, tagBytes, "other bytes, just as long, of the kin")
          });
    }
    Cipher block = Cipher.getInstance("AES/ECB/NoPadding");
    block.init(Cipher.ENCRYPT_MODE, secret);

    Element key = key(pairs.get(0), pairs.subList(1, 2));

    assertThat(key).isEqualTo(Element.of(block.doFinal(new byte[16]), 0));
  }

  private static Sealed sealed(SecretKeySpec secret, byte[] nonce, int tagBytes, String text)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, secret, new GCMParameterSpec(tagBytes * 8, nonce));
    byte[] bound = new byte[24];
    cipher.updateAAD(bound);
    byte[] bytes = cipher.doFinal(text.getBytes(StandardCharsets.US_ASCII));
    int length = bytes.length - tagBytes;
    return new Sealed(
        bound, Arrays.copyOf(bytes, length), Arrays.copyOfRange(bytes, length, bytes.length));
  }
}
