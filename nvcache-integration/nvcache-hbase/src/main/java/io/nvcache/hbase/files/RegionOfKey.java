// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.jspecify.annotations.Nullable;

/**
 * Finds the region of a block. Up to HBase 2.6.4 its key has the path of the file, from 2.6.5 on
 * the name of the region, and no path.
 */
final class RegionOfKey {
  private static final MethodHandle REGION = find();

  private RegionOfKey() {}

  /** Returns the encoded name of the region; null if the key was made without its file's path. */
  static @Nullable String of(BlockCacheKey key) {
    try {
      return (String) REGION.invokeExact(key);
    } catch (Throwable e) {
      throw new IllegalStateException("HBase does not tell the region of " + key, e);
    }
  }

  private static MethodHandle find() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    try {
      return lookup.findVirtual(
          BlockCacheKey.class, "getRegionName", MethodType.methodType(String.class));
    } catch (ReflectiveOperationException olderHBase) {
      return ofPath(lookup);
    }
  }

  private static MethodHandle ofPath(MethodHandles.Lookup lookup) {
    try {
      return MethodHandles.filterReturnValue(
          lookup.findVirtual(BlockCacheKey.class, "getFilePath", MethodType.methodType(Path.class)),
          lookup.findStatic(
              RegionShares.class, "regionOf", MethodType.methodType(String.class, Path.class)));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
