// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

/** Keeps memory allocated for the {@linkplain RawMemory#view views} made of it. */
public interface MemoryOwner {
  /** Returns whether a file lies behind the memory, which another process may cut short. */
  boolean isFileBacked();
}
