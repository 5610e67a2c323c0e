// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;

/**
 * Keeps a key outside the process, under which the key of a medium is stored on the medium itself:
 * in a file, a keystore or a key management service. Called when a cache is built.
 *
 * <p>{@link #unwrap} is given what lies on the medium, which anybody may have written who can write
 * there. It must authenticate: give a key only for what {@link #wrap} of this source has returned,
 * and throw for all else. Encryption alone does not do that (AES-CBC without a tag, a public key
 * that others know): then anyone who can write to the medium puts his own key there, and all
 * blocks. AES key wrapping (RFC 3394), AES-GCM and the services' own encryption with a secret key
 * do.
 *
 * <p>Give each cache a source with its own secret, or its own context that the service
 * authenticates: what one cache's source unwraps for another lets anyone who can write to both
 * media exchange them.
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
   * @param wrapped what this source has returned once, or what somebody else has put there
   * @throws IOException if that can't be done now, or this source has not wrapped these bytes; then
   *     the cache starts cold, under a new key
   */
  byte[] unwrap(byte[] wrapped) throws IOException;
}
