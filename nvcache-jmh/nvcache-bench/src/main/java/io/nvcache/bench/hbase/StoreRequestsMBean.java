// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

/** What {@link StoreRequests} shows over JMX. */
public interface StoreRequestsMBean {
  /** Returns the requests to store files for which calls of clients waited. */
  long getOfClients();
}
