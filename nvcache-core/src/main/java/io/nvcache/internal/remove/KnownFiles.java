// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import io.nvcache.FileIdentity;
import io.nvcache.internal.index.FileIdentities;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of files' identities when blocks are invalidated.
 *
 * @param revocations have later caches not restore a file; null if there is nothing that they
 *     restore
 */
public record KnownFiles(FileIdentities identities, @Nullable Revocations revocations) {
  /** Names a file. */
  public void identify(long fileId, FileIdentity identity) {
    if (revocations != null) {
      identities.identify(fileId, identity);
    }
  }

  /** A block of the file is about to be invalidated alone. */
  void blockGoes(long fileId) {
    if (revocations == null) {
      return;
    }
    if (identities.isIdentified(fileId)) {
      identities.revoke(fileId, revocations::revoke);
    } else if (identities.hasForgottenIdleFiles()) {
      revocations.revokeAll(); // It may be one of them, and regions may list blocks of it.
    }
  }

  /** Waits until no later cache can bring back blocks that went. */
  void awaitGone() {
    if (revocations != null) {
      revocations.await();
    }
  }

  /** The file is about to be invalidated. */
  void fileGoes(long fileId) {
    if (revocations != null && identities.isIdentified(fileId)) {
      identities.forget(fileId);
    }
  }
}
