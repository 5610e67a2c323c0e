// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

/** A way to make several reads of a disk at the same time. Thread-safe except for closing it. */
interface BatchReads extends AutoCloseable {
  /** Returns how many it has under way at the same time, at most. */
  int atOnce();

  /** Does what {@link Disk#readAll} says. */
  void read(ReadBatch batch, Disk disk);

  /** Returns a few words for logs and reports: by what reads are made. */
  String describe();

  @Override
  void close();
}
