// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

/**
 * Receives the changes of live settings, on the thread that changes them and in the order of
 * changes. It may look at settings, shadows and tuning, and change them; it must not wait for
 * another thread that changes them. What it throws, an {@link Error} too, is logged; the change
 * stays, and later listeners hear of it.
 */
@FunctionalInterface
public interface SettingListener {
  /**
   * Receives the new value of a setting.
   *
   * @param setting its name in {@link LiveSettings}, or {@code shadowSampleRatio} or {@code
   *     shadowCandidates}
   * @param before the value it had
   * @param after the value it has now; candidates are lists
   */
  void changed(String setting, Object before, Object after);
}
