// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.control.LiveSetting;
import io.nvcache.control.Settings;
import java.time.Duration;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The live settings, except those that a miniature tries otherwise. */
record ShadowSettings(Settings live, OptionalDouble triedTarget, @Nullable Duration triedWindow)
    implements Settings {

  @Override
  public Object get(LiveSetting setting) {
    if (setting == LiveSetting.OVERHEAD_TARGET && triedTarget.isPresent()) {
      return triedTarget.getAsDouble();
    }
    return setting == LiveSetting.EVICTION_WINDOW && triedWindow != null
        ? triedWindow
        : live.get(setting);
  }
}
