// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import io.nvcache.FileIdentity;
import io.nvcache.internal.index.FileIdentities;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of files' identities when blocks are invalidated.
 *
 * @param revoke has later caches not restore a file; null if there is nothing that they restore
 * @param wake has what was revoked written soon
 */
public record KnownFiles(
    FileIdentities identities, @Nullable Consumer<FileIdentity> revoke, Runnable wake) {
  /** Names a file. */
  public void identify(long fileId, FileIdentity identity) {
    if (revoke != null) {
      identities.identify(fileId, identity);
    }
  }

  /** A block of the file is about to be invalidated alone. */
  void blockGoes(long fileId) {
    if (revoke != null && identities.isIdentified(fileId)) {
      identities.revoke(fileId, revoke);
      wake.run();
    }
  }

  /** The file is about to be invalidated. */
  void fileGoes(long fileId) {
    if (revoke != null && identities.isIdentified(fileId)) {
      identities.forget(fileId);
    }
  }
}
