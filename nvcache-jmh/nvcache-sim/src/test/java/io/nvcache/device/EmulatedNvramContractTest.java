// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

import io.nvcache.medium.Medium;
import io.nvcache.medium.MediumContract;
import io.nvcache.medium.NativeMedium;
import java.util.concurrent.atomic.AtomicLong;

/** What every medium promises, at full speed: the clock never waits. */
class EmulatedNvramContractTest extends MediumContract {
  private final AtomicLong now = new AtomicLong();

  @Override
  protected Medium open(long capacityBytes) {
    return new EmulatedNvramMedium(
        NativeMedium.allocate(capacityBytes), new NvramSpeeds(1), now::get, now::addAndGet);
  }
}
