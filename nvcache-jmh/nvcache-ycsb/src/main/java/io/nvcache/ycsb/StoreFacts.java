// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.ycsb.store.DirectIoStatus;

/**
 * The store after the load.
 *
 * @param dataBytes bytes of its files
 * @param fileCount number of its files
 * @param directIo whether reads pass the page cache by
 */
public record StoreFacts(long dataBytes, long fileCount, DirectIoStatus directIo) {}
