// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.nvcache.BlockCache;
import io.nvcache.ForwardingBlockCache;
import io.nvcache.control.CacheControl;
import java.lang.reflect.Proxy;

/** Counts the snapshots that are taken of another cache. */
final class CountingCache extends ForwardingBlockCache {
  int snapshots;

  CountingCache(BlockCache cache) {
    super(cache);
  }

  @Override
  public CacheControl control() {
    CacheControl control = super.control();
    return (CacheControl)
        Proxy.newProxyInstance(
            CacheControl.class.getClassLoader(),
            new Class<?>[] {CacheControl.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("ledger")) {
                snapshots++;
              }
              return method.invoke(control, arguments);
            });
  }
}
