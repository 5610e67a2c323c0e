// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

/** Makes the admission policy of one cache. */
@FunctionalInterface
public interface AdmissionFactory {
  /** Makes a policy that reads its counts and thresholds from the context. */
  AdmissionPolicy create(AdmissionContext context);
}
