// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.progress.Progress;

/** Nothing. */
final class SilentProgress implements Progress {
  static final Phase PHASE =
      new Phase() {
        @Override
        public void at(long step, String note) {}

        @Override
        public void close() {}
      };

  @Override
  public Phase begin(String name, long steps) {
    return PHASE;
  }
}
