// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.memory.AesGcm;
import io.nvcache.memory.LendingPool;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Lends ciphers for the time of one call, those first that had the region's key before: to expand a
 * key takes about as long as to decrypt 4 KiB. A cipher has one to two kilobytes; all that are kept
 * are a small part of the index of as many regions.
 *
 * <p>Thread-safe. Taking and giving back is mostly one atomic exchange each, on a cache line that
 * is the region's own.
 */
final class CipherSlots {
  /** More regions than a terabyte has share them. */
  private static final int MOST_SLOTS = 16 << 10;

  /** So that threads which read in one of few regions at once find a cipher each. */
  private static final int SLOTS_PER_REGION = 4;

  private static final int FEW_REGIONS = 1 << 10;

  /** References on a cache line. */
  private static final int SPACING = 16;

  private final int slotsPerRegion;
  private final int slots;
  private final AtomicReferenceArray<@Nullable Cipher> kept;
  private final LendingPool<Cipher> others = new LendingPool<>(AesGcm::newCipher);

  CipherSlots(int regions) {
    this.slotsPerRegion = regions <= FEW_REGIONS ? SLOTS_PER_REGION : 1;
    this.slots = Math.min(MOST_SLOTS, Math.max(1, regions) * slotsPerRegion);
    this.kept = new AtomicReferenceArray<>(slots * SPACING);
  }

  /** Returns a cipher that begins with a key and a nonce. */
  Cipher take(int region, int mode, SecretKey key, byte[] nonce, int tagBytes)
      throws GeneralSecurityException {
    Cipher its = kept.getAndSet(place(region), null);
    Cipher cipher = its == null ? others.take() : its;
    AesGcm.begin(cipher, mode, key, nonce, tagBytes);
    return cipher;
  }

  /** Returns any cipher: for what is done once to a region, none is to be kept. */
  Cipher takeAny(int mode, SecretKey key, byte[] nonce, int tagBytes)
      throws GeneralSecurityException {
    Cipher cipher = others.take();
    AesGcm.begin(cipher, mode, key, nonce, tagBytes);
    return cipher;
  }

  void giveBackAny(Cipher cipher) {
    others.giveBack(cipher);
  }

  void giveBack(int region, Cipher cipher) {
    if (!kept.compareAndSet(place(region), null, cipher)) {
      others.giveBack(cipher);
    }
  }

  private int place(int region) {
    int thread = (int) Thread.currentThread().getId() & (slotsPerRegion - 1);
    return (int) (((long) region * slotsPerRegion + thread) % slots) * SPACING;
  }
}
