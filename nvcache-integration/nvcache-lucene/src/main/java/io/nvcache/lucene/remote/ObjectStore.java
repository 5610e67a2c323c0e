// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.remote;

import java.io.IOException;
import java.util.Map;

/** Where the files of a {@link RemoteDirectory} are. Called by many threads at once. */
public interface ObjectStore {
  /**
   * Lists all objects.
   *
   * @return their lengths in bytes, by name
   * @throws IOException if the store can't be asked
   */
  Map<String, Long> list() throws IOException;

  /**
   * Reads a range of an object: one request.
   *
   * @param name the object
   * @param offset its first byte to read
   * @param dst where to put the bytes
   * @param from the first place in {@code dst}
   * @param lengthBytes how many bytes, all of which the object has
   * @throws IOException if the object is gone or the store can't be asked
   */
  void read(String name, long offset, byte[] dst, int from, int lengthBytes) throws IOException;
}
