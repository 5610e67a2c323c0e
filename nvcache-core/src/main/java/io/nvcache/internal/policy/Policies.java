// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

/**
 * The policies of a cache.
 *
 * @param failures counts what they throw
 */
public record Policies(
    GuardedAdmission admission, GuardedEviction eviction, PolicyFailures failures) {
  /** Returns whether one object is both policies, and is closed once. */
  public boolean areOneObject() {
    return (Object) admission.policy() == eviction.policy();
  }
}
