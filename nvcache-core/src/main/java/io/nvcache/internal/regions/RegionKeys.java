// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.memory.LendingPool;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys that follow from the key of a medium: one for each region, and one that superblocks and
 * region headers are authenticated with. Derived as HKDF-Expand does it (RFC 5869, section 2.3,
 * with HMAC-SHA256 and one block of output); the key of the medium is random, so that nothing has
 * to be extracted from it first.
 *
 * <p>A region's key follows from the first bytes of its header, among them a salt that is drawn
 * when the region is opened. Whatever the medium says of generations, no key comes twice.
 *
 * <p>Thread-safe.
 */
final class RegionKeys {
  /** The length of a superblock's or header's tag: 128 bits of its HMAC-SHA256. */
  static final int TAG_BYTES = 16;

  private static final String MAC = "HmacSHA256";
  private static final byte[] REGION = label("nvcache region");
  private static final byte[] HEADERS = label("nvcache headers");

  private final LendingPool<Mac> mediumMacs;
  private final LendingPool<Mac> headerMacs;

  /** Keys by region. */
  private final AtomicReferenceArray<SecretKey> regionKeys;

  RegionKeys(byte[] mediumKey, int regions) {
    SecretKey key = new SecretKeySpec(mediumKey, MAC);
    this.mediumMacs = new LendingPool<>(() -> mac(key));
    SecretKey headerKey = derive(mediumMacs, HEADERS, ByteBuffer.allocate(0), 0, 0, MAC);
    this.headerMacs = new LendingPool<>(() -> mac(headerKey));
    this.regionKeys = new AtomicReferenceArray<>(regions);
  }

  private static byte[] label(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  /** Derives a region's key from its header, and keeps it until the region has another one. */
  void put(int region, ByteBuffer bytes, int at, int length) {
    regionKeys.set(region, derive(mediumMacs, REGION, bytes, at, length, "AES"));
  }

  /** Returns the present key of a region, whose header was {@linkplain #put given}. */
  SecretKey of(int region) {
    SecretKey key = regionKeys.get(region);
    if (key == null) {
      throw new IllegalStateException("region " + region + " has no key");
    }
    return key;
  }

  private static SecretKey derive(
      LendingPool<Mac> macs, byte[] label, ByteBuffer info, int at, int length, String algorithm) {
    Mac mac = macs.take();
    mac.update(label);
    mac.update(info.duplicate().limit(at + length).position(at));
    mac.update((byte) 1);
    byte[] key = mac.doFinal();
    macs.giveBack(mac);
    try {
      return new SecretKeySpec(key, algorithm);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  /** Writes the tag of some bytes behind them. */
  void putTag(ByteBuffer bytes, int at, int length) {
    bytes.put(at + length, tag(bytes, at, length));
  }

  /** Returns whether some bytes have their tag behind them. */
  boolean hasTag(ByteBuffer bytes, int at, int length) {
    byte[] found = new byte[TAG_BYTES];
    bytes.get(at + length, found);
    return MessageDigest.isEqual(found, tag(bytes, at, length));
  }

  private byte[] tag(ByteBuffer bytes, int at, int length) {
    Mac mac = headerMacs.take();
    mac.update(bytes.duplicate().limit(at + length).position(at));
    byte[] tag = Arrays.copyOf(mac.doFinal(), TAG_BYTES);
    headerMacs.giveBack(mac);
    return tag;
  }

  private static Mac mac(SecretKey key) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no " + MAC, e);
    }
  }
}
