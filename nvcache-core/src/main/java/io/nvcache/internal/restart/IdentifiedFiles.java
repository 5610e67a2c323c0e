// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.FileIdentity;
import io.nvcache.internal.remove.FileIdentityHooks;
import org.jspecify.annotations.Nullable;

/**
 * Keeps files' identities for later caches, and has these not restore what is invalidated.
 *
 * @param revocations have later caches not restore a file
 */
public record IdentifiedFiles(FileIdentities identities, Revocations revocations)
    implements FileIdentityHooks {
  @Override
  public void identify(long fileId, FileIdentity identity) {
    identities.identify(fileId, identity);
  }

  @Override
  public void blockGoes(long fileId) {
    if (identities.isIdentified(fileId)) {
      identities.revoke(fileId, revocations::revoke);
    } else if (identities.hasForgottenIdleFiles()) {
      identities.revokeForgotten(); // It may be one of them, and regions may list blocks of it.
      revocations.revokeAll();
    }
  }

  @Override
  public void awaitGone() {
    revocations.await();
  }

  @Override
  public void fileGoes(long fileId) {
    if (identities.isIdentified(fileId)) {
      identities.forget(fileId);
    }
  }

  @Override
  public @Nullable String trouble() {
    return revocations.trouble();
  }
}
