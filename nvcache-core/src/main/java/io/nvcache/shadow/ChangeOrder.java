// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

/** The one order in which a cache's settings change, and in which their listeners hear of it. */
public interface ChangeOrder {
  /**
   * Makes a change while no other is being made, and then has it reported. To be called without any
   * lock that a listener might want.
   */
  void make(Runnable change);

  /** Reports that a setting changed, if it did. To be called within {@link #make}. */
  void tell(String setting, Object before, Object after);
}
