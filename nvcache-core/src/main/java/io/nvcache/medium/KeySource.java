// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;

/**
 * Keeps a key outside the process, under which the key of a medium is stored on the medium itself:
 * in a file, a keystore or a key management service. Called when a cache is built.
 */
public interface KeySource {
  /** The most bytes that a wrapped key may have. */
  int MAX_WRAPPED_BYTES = 126;

  /**
   * Encrypts the key of a medium.
   *
   * @param key 32 bytes, which are cleared after the call
   * @return 1 to {@value #MAX_WRAPPED_BYTES} bytes, from which {@link #unwrap} finds the key
   * @throws IOException if that can't be done now; then no cache is built
   */
  byte[] wrap(byte[] key) throws IOException;

  /**
   * Returns the key of a medium.
   *
   * @throws IOException if that can't be done now, or these bytes are of another source; then the
   *     cache starts cold, under a new key
   */
  byte[] unwrap(byte[] wrapped) throws IOException;
}
