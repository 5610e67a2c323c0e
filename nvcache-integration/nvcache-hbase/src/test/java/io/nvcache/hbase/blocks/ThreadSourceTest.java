// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import io.nvcache.hbase.NvCacheRegionObserver;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadSourceTest {
  @ParameterizedTest
  @CsvSource({
    "regionserver/host:16020-shortCompactions-0, COMPACTION",
    "regionserver/host:16020-longCompactions-3, COMPACTION",
    "MemStoreFlusher.1, FLUSH",
    "hfile-prefetch-1783930000000, PREFETCH",
    "'RpcServer.default.FPBQ.Fifo.handler=29,queue=2,port=16020', READ"
  })
  void shouldKnowHBasesThreads(String name, Source expected) throws Exception {
    AtomicReference<Source> seen = new AtomicReference<>();
    Thread thread = new Thread(() -> seen.set(ThreadSource.current()), name);
    thread.start();
    thread.join();
    assertThat(seen.get()).isEqualTo(expected);
  }

  @Test
  void shouldGoBackToWhatItWasWhenAScopeCloses() {
    try (ThreadSource outer = ThreadSource.enter(Source.COMPACTION)) {
      try (ThreadSource inner = ThreadSource.enter(Source.FLUSH)) {
        assertThat(ThreadSource.current()).isEqualTo(Source.FLUSH);
      }
      assertThat(ThreadSource.current()).isEqualTo(Source.COMPACTION);
    }
    assertThat(ThreadSource.current()).isEqualTo(Source.READ);
  }

  /** As those that write for a snapshot, or as a region is closed. HBase flushes store by store. */
  @Test
  void shouldKnowAFlushOnAnyThread() {
    NvCacheRegionObserver observer = new NvCacheRegionObserver();
    for (int store = 0; store < 2; store++) {
      assertThat(observer.preFlush(null, null, null, null)).isNull();
      assertThat(ThreadSource.current()).isEqualTo(Source.FLUSH);
    }
    for (int store = 0; store < 2; store++) {
      observer.postFlush(null, null, null, null);
      assertThat(ThreadSource.current()).isEqualTo(Source.READ);
    }
  }

  @Test
  void shouldEndAFlushThatFailedWithItsRemoteCall() {
    NvCacheRegionObserver observer = new NvCacheRegionObserver();
    try {
      RpcServer.setCurrentCall(call());
      observer.preFlush(null, null, null, null);
      assertThat(ThreadSource.current()).isEqualTo(Source.FLUSH);
      RpcServer.setCurrentCall(call());
      assertThat(ThreadSource.current()).isEqualTo(Source.READ);
      observer.preFlush(null, null, null, null);
      observer.postFlush(null, null, null, null);
      assertThat(ThreadSource.current()).isEqualTo(Source.READ);
    } finally {
      RpcServer.unsetCurrentCall();
    }
  }

  /**
   * Coprocessors get rows on a thread that compacts, outside of any remote call, and HBase does not
   * say that a get has failed.
   */
  @Test
  void shouldKnowACompactionAfterReadsThatFailed() throws Exception {
    AtomicReference<Source> seen = new AtomicReference<>();
    AtomicReference<Boolean> inPlace = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              NvCacheRegionObserver observer = new NvCacheRegionObserver();
              observer.preScannerNext(null, null, List.of(), 1, true);
              observer.preGetOp(null, new Get(new byte[1]), List.of());
              observer.preCompactScannerOpen(withoutServer(), null, null, null, null, null);
              seen.set(ThreadSource.current());
              inPlace.set(ThreadSource.isOfGet());
            },
            "regionserver/host:16020-shortCompactions-0");
    thread.start();
    thread.join();
    assertThat(seen.get()).isEqualTo(Source.COMPACTION);
    assertThat(inPlace.get()).isFalse();
  }

  @Test
  void shouldKnowAGetFromAScan() {
    NvCacheRegionObserver observer = new NvCacheRegionObserver();
    assertThat(ThreadSource.isOfGet()).isFalse();
    observer.preGetOp(null, new Get(new byte[] {1}), List.of());
    assertThat(ThreadSource.isOfGet()).isTrue();
    observer.postGetOp(null, new Get(new byte[] {1}), List.of());
    assertThat(ThreadSource.isOfGet()).isFalse();
    observer.preScannerNext(null, null, List.of(), 1, true);
    assertThat(ThreadSource.isOfGet()).isFalse();
    observer.postScannerNext(null, null, List.of(), 1, true);
  }

  /** As of a filter on the server, in the same remote call. */
  @Test
  void shouldTakeNoScanForAGetThatFailedWithinIt() {
    NvCacheRegionObserver observer = new NvCacheRegionObserver();
    observer.preScannerNext(null, null, List.of(), 1, true);
    observer.preGetOp(null, new Get(new byte[] {1}), List.of());
    assertThat(ThreadSource.isOfGet()).isFalse();
    observer.postGetOp(null, new Get(new byte[] {1}), List.of());
    observer.postScannerNext(null, null, List.of(), 1, true);
    observer.preGetOp(null, new Get(new byte[] {1}), List.of());
    assertThat(ThreadSource.isOfGet()).isTrue();
    observer.preScannerOpen(null, null);
    assertThat(ThreadSource.isOfGet()).isFalse();
  }

  /** HBase does not say so when one fails. */
  @Test
  void shouldEndAGetWithItsRemoteCall() {
    NvCacheRegionObserver observer = new NvCacheRegionObserver();
    try {
      RpcServer.setCurrentCall(call());
      observer.preGetOp(null, new Get(new byte[] {1}), List.of());
      RpcServer.setCurrentCall(call());
      assertThat(ThreadSource.isOfGet()).isFalse();
    } finally {
      RpcServer.unsetCurrentCall();
    }
  }

  /** As a scan's scope does when the scan fails: HBase does not report that it is over. */
  @Test
  void shouldEndAScopeWithItsRemoteCall() {
    RpcCall scan = call();
    RpcCall get = call();
    try {
      RpcServer.setCurrentCall(scan);
      ThreadSource.enter(Source.SCAN);
      assertThat(ThreadSource.current()).isEqualTo(Source.SCAN);
      RpcServer.setCurrentCall(get);
      assertThat(ThreadSource.current()).isEqualTo(Source.READ);
    } finally {
      RpcServer.unsetCurrentCall();
    }
  }

  @SuppressWarnings("unchecked")
  private static ObserverContext<RegionCoprocessorEnvironment> withoutServer() {
    return (ObserverContext<RegionCoprocessorEnvironment>)
        Proxy.newProxyInstance(
            ObserverContext.class.getClassLoader(),
            new Class<?>[] {ObserverContext.class},
            (proxy, method, arguments) -> null);
  }

  private static RpcCall call() {
    return (RpcCall)
        Proxy.newProxyInstance(
            RpcCall.class.getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            });
  }
}
