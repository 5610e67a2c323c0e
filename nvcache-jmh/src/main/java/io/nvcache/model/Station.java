// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

/** A place where a job waits until it is served. */
interface Station {
  /**
   * Lets a job of this process begin; the simulation {@linkplain Process#resume resumes} the
   * process when it is done.
   *
   * @param amount bytes, or seconds at stations of time
   */
  void enter(Process process, double amount);
}
