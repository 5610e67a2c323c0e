// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * AES-256 in Galois/counter mode (NIST SP 800-38D), by the ciphers of the JDK. They are expensive
 * to make: callers keep them, each for one thread at a time.
 */
public final class AesGcm {
  public static final int KEY_BYTES = 32;
  public static final int NONCE_BYTES = 12;

  private static final String NAME = "AES/GCM/NoPadding";

  private AesGcm() {}

  /**
   * Makes a cipher.
   *
   * @throws IllegalStateException if this JVM has none
   */
  public static Cipher newCipher() {
    try {
      return Cipher.getInstance(NAME);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no " + NAME, e);
    }
  }

  /** Draws a key. The caller clears it when it is not needed any more. */
  public static byte[] newKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return key;
  }

  /**
   * Has a cipher begin.
   *
   * @param mode to encrypt or to decrypt, as {@link Cipher#init(int, java.security.Key)} takes it
   * @param nonce {@value #NONCE_BYTES} bytes, never used before to encrypt under this key
   * @param tagBytes of the tag behind the encrypted bytes, 12 to 16
   */
  public static void begin(Cipher cipher, int mode, SecretKey key, byte[] nonce, int tagBytes)
      throws GeneralSecurityException {
    cipher.init(mode, key, new GCMParameterSpec(tagBytes * Byte.SIZE, nonce));
  }
}
