// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.bench.clients.ServerBeans;
import io.nvcache.bench.hbase.StoreRequests;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The counts of one process of a server, which begin with the process. */
final class ProcessCounts {
  private static final String NVCACHE = "Hadoop:service=HBase,name=RegionServer,sub=NvCache,*";
  private static final String METRICS = "Hadoop:service=HBase,name=RegionServer,sub=Server";

  /** HBase takes its metrics' beans away when a region comes or goes, and brings them again. */
  private static final int MOST_LOOKS = 60;

  private static final int LOOK_MILLIS = 500;

  private final ServerBeans beans;
  private final DayEngine engine;
  private final @Nullable WriterThreads writers;

  ProcessCounts(DayEngine engine, Process process, ServerBeans beans) throws IOException {
    this.engine = engine;
    this.beans = beans;
    this.writers = engine.isBucketCache() ? WriterThreads.of(process) : null;
  }

  /** Returns the requests to store files that reads waited for. */
  long storeRequests() throws IOException {
    return ServerBeans.number(beans.show(StoreRequests.BEAN), "OfClients");
  }

  /** Returns the bytes of blocks that were written to the second level. */
  long writtenBytes() throws IOException {
    if (writers != null) {
      return writers.writtenBytes();
    }
    return engine.isNvCache() ? nvCache("DeviceWrittenBytes") : 0;
  }

  /** Returns a count of NVCache. */
  long nvCache(String attribute) throws IOException {
    return ServerBeans.number(beans.show(NVCACHE), attribute);
  }

  /** Returns one of HBase's own counts, which are a second old. */
  long metric(String name) throws IOException, InterruptedException {
    String shown = beans.show(METRICS);
    for (int i = 0; i < MOST_LOOKS && !shown.contains(name); i++) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      shown = beans.show(METRICS);
    }
    return ServerBeans.number(shown, name);
  }
}
