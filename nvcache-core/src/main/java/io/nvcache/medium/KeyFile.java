// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.memory.SmallFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of 32 random bytes, under which keys are wrapped as RFC 3394 says. For tests, and where
 * the file lies on another device than the cache: on the same one it protects nothing.
 */
public final class KeyFile implements KeySource {
  private static final String CIPHER = "AESWrap";
  private static final int KEY_BYTES = 32;

  private static final Set<PosixFilePermission> OTHERS =
      PosixFilePermissions.fromString("---rw-rw-");

  private static final Logger LOG = LoggerFactory.getLogger(KeyFile.class);

  private final Path path;
  private volatile boolean warned;

  /** Reads the file again for each key. */
  public KeyFile(Path path) {
    this.path = Objects.requireNonNull(path, "path");
  }

  /**
   * Returns the file that a setting of a host names, if blocks are on flash and it is a key.
   *
   * @param key of the setting
   * @param file its value
   * @param mediumKey the key of the setting of the medium
   * @param medium the value of that one
   * @param reader who has to read the file: the node, say
   * @throws IllegalArgumentException if not; names key, value and remedy
   */
  public static KeyFile ofSetting(
      String key, String file, String mediumKey, String medium, String reader) {
    String given = key + " is '" + file + "'; ";
    if (!medium.equals("flash")) {
      throw new IllegalArgumentException(
          given
              + "only blocks on flash are encrypted by a key from outside: set "
              + mediumKey
              + " to flash, or remove the key");
    }
    KeyFile keys = new KeyFile(Path.of(file));
    try {
      keys.check();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          given
              + "it must be a file of 32 random bytes that "
              + reader
              + " may read ("
              + e.getMessage()
              + "); make it by head -c 32 /dev/urandom, or remove the key",
          e);
    }
    return keys;
  }

  /**
   * Checks that keys can be wrapped, so that a mistake shows where the file was named.
   *
   * @throws IOException if the file can't be read or is not a key, with the reason
   */
  public void check() throws IOException {
    wrap(new byte[KEY_BYTES]);
  }

  @Override
  public byte[] wrap(byte[] key) throws IOException {
    try {
      return cipher(Cipher.WRAP_MODE).wrap(new SecretKeySpec(key, "AES"));
    } catch (GeneralSecurityException e) {
      throw new IOException("can't wrap a key by " + path + ": " + e.getMessage(), e);
    }
  }

  @Override
  public byte[] unwrap(byte[] wrapped) throws IOException {
    try {
      return cipher(Cipher.UNWRAP_MODE).unwrap(wrapped, "AES", Cipher.SECRET_KEY).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IOException("it was not wrapped by the key in " + path, e);
    }
  }

  /** One byte more than a key has, at most, and of no device or pipe, which may never end. */
  private byte[] read() throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new IOException(
          path + " is not a file; a key is one of " + KEY_BYTES + " random bytes");
    }
    warnIfItIsOthersToo();
    try (InputStream in = SmallFiles.open(path)) {
      return in.readNBytes(KEY_BYTES + 1);
    }
  }

  private void warnIfItIsOthersToo() throws IOException {
    PosixFileAttributeView posix = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (posix == null || warned) {
      return;
    }
    Set<PosixFilePermission> mode = posix.readAttributes().permissions();
    if (!Collections.disjoint(mode, OTHERS)) {
      warned = true;
      LOG.warn(
          "the key in {} has mode {}: whoever may read or replace it reads what is cached; chmod"
              + " 400 it",
          path,
          PosixFilePermissions.toString(mode));
    }
  }

  private Cipher cipher(int mode) throws IOException, GeneralSecurityException {
    byte[] bytes = read();
    try {
      if (bytes.length != KEY_BYTES) {
        throw new IOException(
            path + " has " + Files.size(path) + " bytes; a key has " + KEY_BYTES + " random ones");
      }
      SecretKey key = new SecretKeySpec(bytes, "AES");
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(mode, key);
      return cipher;
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }
}
