// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import java.util.concurrent.atomic.LongAdder;

/** What the shards of a node asked of the remote store. Thread-safe. */
final class RemoteCounts {
  final LongAdder requests = new LongAdder();
  final LongAdder bytes = new LongAdder();
  final LongAdder failures = new LongAdder();

  /** Uploaded files that were not what lies here, so that they are still read here. */
  final LongAdder refusedUploads = new LongAdder();
}
