// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import io.nvcache.FileIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Hears of files' identities, and of what becomes of the files' blocks. By default there is no
 * later cache that could restore them, and nothing is to be done.
 */
public interface FileIdentityHooks {
  /** The hooks of a cache that leaves nothing to a later one. */
  FileIdentityHooks NONE = new FileIdentityHooks() {};

  /** Names a file. */
  default void identify(long fileId, FileIdentity identity) {}

  /** A block of the file is about to be invalidated alone. */
  default void blockGoes(long fileId) {}

  /** Waits until no later cache can bring back blocks that went. */
  default void awaitGone() {}

  /** The file is about to be invalidated. */
  default void fileGoes(long fileId) {}

  /** Returns what keeps blocks that were invalidated from staying so after a restart, or null. */
  default @Nullable String trouble() {
    return null;
  }
}
