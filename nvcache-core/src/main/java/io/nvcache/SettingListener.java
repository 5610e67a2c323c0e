// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/**
 * Is told when a live setting changes, by the thread that changes it and in the order of changes.
 */
@FunctionalInterface
public interface SettingListener {
  /**
   * A setting has a new value.
   *
   * @param setting its name in {@link LiveSettings}
   * @param before the value it had
   * @param after the value it has now
   */
  void changed(String setting, Object before, Object after);
}
