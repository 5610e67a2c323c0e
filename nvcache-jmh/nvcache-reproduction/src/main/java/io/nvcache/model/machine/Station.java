// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

/** A place where a job waits until it is served. */
public interface Station {
  /**
   * Lets a job of this activity begin; the simulation {@linkplain Activity#resume resumes} the
   * activity when it is done.
   *
   * @param amount bytes, or seconds at stations of time
   */
  void enter(Activity activity, double amount);
}
