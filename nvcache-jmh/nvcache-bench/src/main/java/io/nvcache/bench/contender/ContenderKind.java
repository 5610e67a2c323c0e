// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import io.nvcache.report.Labelled;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The caches that can be compared. */
public enum ContenderKind implements Labelled {
  NVCACHE {
    @Override
    public Contender open(int blockBytes, int capacityBlocks) {
      return NvCacheContender.on(region().open((long) blockBytes * capacityBlocks), blockBytes);
    }
  },
  NVCACHE_MAPPED {
    @Override
    public Contender open(int blockBytes, int capacityBlocks) {
      return NvCacheContender.on(region().open((long) blockBytes * capacityBlocks), blockBytes);
    }

    @Override
    public Region region() {
      return Region.MAPPED;
    }
  },
  NVCACHE_MAPPED_UNSUMMED {
    @Override
    public Contender open(int blockBytes, int capacityBlocks) {
      return NvCacheContender.unsummedOn(
          region().open((long) blockBytes * capacityBlocks), blockBytes);
    }

    @Override
    public Region region() {
      return Region.MAPPED;
    }
  },
  CONCURRENT_MAP {
    @Override
    public Contender open(int blockBytes, int capacityBlocks) {
      return new ConcurrentMapContender(
          region().open((long) blockBytes * capacityBlocks), blockBytes);
    }
  },
  CHRONICLE_MAP {
    @Override
    public Contender open(int blockBytes, int capacityBlocks) {
      return new ChronicleMapContender(blockBytes, capacityBlocks);
    }

    @Override
    public List<String> flags() {
      return List.of(
          "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED");
    }
  },
  CAFFEINE_HEAP {
    @Override
    public Contender open(int blockBytes, int capacityBlocks) {
      return new CaffeineHeapContender(capacityBlocks);
    }

    @Override
    public boolean isOnHeap() {
      return true;
    }
  },
  CAFFEINE_DIRECT {
    @Override
    public Contender open(int blockBytes, int capacityBlocks) {
      return new CaffeineDirectContender(blockBytes, capacityBlocks);
    }
  },
  OHC {
    @Override
    public Contender open(int blockBytes, int capacityBlocks) {
      return new OhcContender(blockBytes, capacityBlocks);
    }
  },
  EHCACHE {
    @Override
    public Contender open(int blockBytes, int capacityBlocks) {
      return new EhcacheContender(blockBytes, capacityBlocks);
    }
  },
  BUCKET_CACHE {
    @Override
    public Contender open(int blockBytes, int capacityBlocks) {
      return new BucketCacheContender(blockBytes, capacityBlocks);
    }
  };

  /** Makes an empty cache for so many blocks. */
  public abstract Contender open(int blockBytes, int capacityBlocks);

  /** The kind of memory that the limit is measured in. */
  public Region region() {
    return Region.NATIVE;
  }

  /** Whether the blocks lie on the heap, which must be made large enough. */
  public boolean isOnHeap() {
    return false;
  }

  /** Whether it can't do without sun.misc.Unsafe. */
  public boolean needsUnsafe() {
    return this == CHRONICLE_MAP || this == OHC || this == BUCKET_CACHE;
  }

  /** The flags, beyond NVCache's, without which it fails, or logs and is slow. */
  public List<String> flags() {
    return List.of();
  }

  /** Those of the flags that this JVM was not started with. */
  List<String> missingFlags() {
    return flags().stream().filter(flag -> !isOpen(flag)).toList();
  }

  public static ContenderKind of(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no cache is called " + label + "; there are " + labels()));
  }

  private static String labels() {
    return Arrays.stream(values()).map(ContenderKind::label).collect(Collectors.joining(", "));
  }

  /** Asks the module itself, since a flag can be given in several forms. */
  private static boolean isOpen(String flag) {
    String[] parts = flag.split("[=/]", -1);
    Module unnamed = ContenderKind.class.getModule();
    return ModuleLayer.boot()
        .findModule(parts[1])
        .map(
            module ->
                parts[0].equals("--add-opens")
                    ? module.isOpen(parts[2], unnamed)
                    : module.isExported(parts[2], unnamed))
        .orElse(false);
  }
}
