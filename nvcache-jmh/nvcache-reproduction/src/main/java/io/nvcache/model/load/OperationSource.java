// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.load;

/** Where a client gets its operations from. */
public interface OperationSource {
  /** Fills the next one in. {@link ClientStep.Kind#INSERT} leaves the page to the store. */
  void next(ClientStep operation);
}
