// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.background.Maintenance;
import io.nvcache.internal.background.MaintenanceThread;
import io.nvcache.internal.background.MediumThread;
import java.util.concurrent.Executor;

/** The threads that a cache works on: its own, or its owner's. */
enum EngineThreads {
  /** The cache has its own threads. */
  OWN {
    @Override
    Maintenance maintenance(String purpose) {
      return new MaintenanceThread(purpose);
    }

    @Override
    Executor askingThread(String purpose) {
      return new MediumThread(purpose);
    }
  },
  /** The cache's owner does all work, in calls of {@code maintain}. */
  OWNERS {
    @Override
    Maintenance maintenance(String purpose) {
      return Maintenance.BY_CALLER;
    }

    @Override
    Executor askingThread(String purpose) {
      return Runnable::run;
    }
  };

  /** Returns what runs background work. */
  abstract Maintenance maintenance(String purpose);

  /** Returns what asks the medium, which may hang. */
  abstract Executor askingThread(String purpose);
}
