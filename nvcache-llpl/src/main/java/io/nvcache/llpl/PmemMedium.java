// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Persistent memory by the best way that this machine offers. */
public final class PmemMedium {
  private static final Logger LOG = LoggerFactory.getLogger(PmemMedium.class);
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private PmemMedium() {}

  /**
   * Creates an {@link LlplHeapMedium}, or, where LLPL can't work at all, a {@link MappedFileMedium}
   * of the same path; why is logged once. On a DAX file system both are the persistent memory.
   *
   * @throws IOException if the path can't be used: that is not papered over
   */
  public static Medium openOrMapped(Path path, long capacityBytes) throws IOException {
    try {
      return LlplHeapMedium.create(path, capacityBytes);
    } catch (LlplUnavailableException e) {
      if (SAID.compareAndSet(false, true)) {
        LOG.warn("using mapped files instead of LLPL: {}", e.getMessage());
      }
      return MappedFileMedium.create(path, capacityBytes);
    }
  }
}
