// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.medium.ReadBatch;

/** A way to make several reads of a file at the same time. Thread-safe except for closing it. */
interface BatchReads extends AutoCloseable {
  /** Returns how many it has under way at the same time, at most. */
  int atOnce();

  /** Does what {@link DirectFile#readAll} says. */
  void read(ReadBatch batch, DirectFile file);

  /** Returns a few words for logs and reports: by what reads are made. */
  String describe();

  @Override
  void close();
}
