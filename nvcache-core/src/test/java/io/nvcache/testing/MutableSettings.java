// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import io.nvcache.control.LiveSetting;
import io.nvcache.control.LiveSettings;
import io.nvcache.control.SettingListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Settings with the paper's values and no range checks. */
public final class MutableSettings implements LiveSettings {
  private final Map<LiveSetting, Object> changed = new ConcurrentHashMap<>();

  @Override
  public Object get(LiveSetting setting) {
    return changed.getOrDefault(setting, setting.standard());
  }

  @Override
  public void set(LiveSetting setting, Object value) {
    changed.put(setting, value);
  }

  /** Tells nobody. */
  @Override
  public void addListener(SettingListener listener) {}

  @Override
  public void removeListener(SettingListener listener) {}
}
