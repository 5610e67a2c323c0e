// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.background.SafeLog;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.remove.MediumFailureHandler;
import io.nvcache.internal.settings.WriteGovernor;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what superblocks keep of the cache, and counts and charges what is written for the next one.
 * Any thread may use it.
 */
public final class RestartBooks implements DurableRegions.Kept {
  private static final Logger LOG = LoggerFactory.getLogger(RestartBooks.class);

  private final FileTable files;
  private final WriteGovernor governor;
  private final StripedCounters counters;
  private final MediumFailureHandler mediumFailures;

  public RestartBooks(
      FileTable files,
      WriteGovernor governor,
      StripedCounters counters,
      MediumFailureHandler mediumFailures) {
    this.files = files;
    this.governor = governor;
    this.counters = counters;
    this.mediumFailures = mediumFailures;
  }

  /** Writes to the medium. */
  interface Writing {
    /** Returns the bytes written. */
    int write() throws IOException;
  }

  @Override
  public long daySpareBytes() {
    return governor.daySpareBytes();
  }

  @Override
  public int nextFileNumber() {
    return files.nextNumber();
  }

  /** A lack of memory is tried again, as any failure is: what was revoked must be written. */
  @Override
  public void writeFailed(Throwable failure) {
    try {
      mediumFailures.writeFailed(failure, counters.stripe());
    } catch (VirtualMachineError lack) {
      SafeLog.warn(LOG, "a superblock could not be written: {}; {}", lack, "it is tried again");
    }
  }

  /** Charges the budget of writes. */
  void charge(int writtenBytes) {
    governor.charge(writtenBytes);
  }

  /** Writes, charges and counts; a failure is counted, and goes no further. */
  void count(Writing writing) {
    int stripe = counters.stripe();
    try {
      int written = writing.write();
      governor.charge(written);
      counters.add(stripe, Counter.DEVICE_WRITTEN_BYTES, written);
    } catch (IOException | RuntimeException | Error failure) {
      mediumFailures.writeFailed(failure, stripe);
    }
  }
}
