// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import io.nvcache.cassandra.agent.CompactionWork;
import io.nvcache.cassandra.agent.Compactions;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/**
 * Stands around {@code CompactionTask.runMayThrow()}, which carries out the compactions of all
 * strategies, from the first read of an input to the commit. Copied into that method; must not call
 * anything of this package.
 */
final class FollowCompaction {
  private FollowCompaction() {}

  @Advice.OnMethodEnter
  static @Nullable CompactionWork enter() {
    return Compactions.begin();
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class)
  static void exit(
      @Advice.Enter @Nullable CompactionWork work, @Advice.Thrown @Nullable Throwable thrown) {
    Compactions.end(work, thrown == null);
  }
}
