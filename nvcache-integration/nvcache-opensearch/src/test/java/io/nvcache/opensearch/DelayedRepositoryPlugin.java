// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.opensearch.cluster.metadata.RepositoryMetadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.blobstore.BlobContainer;
import org.opensearch.common.blobstore.BlobPath;
import org.opensearch.common.blobstore.BlobStore;
import org.opensearch.common.blobstore.fs.FsBlobContainer;
import org.opensearch.common.blobstore.fs.FsBlobStore;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.indices.recovery.RecoverySettings;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.RepositoryPlugin;
import org.opensearch.repositories.Repository;
import org.opensearch.repositories.fs.FsRepository;

/** Adds the repository type {@code delayed}: a folder whose reads answer as late as a store's. */
public final class DelayedRepositoryPlugin extends Plugin implements RepositoryPlugin {
  static final String TYPE = "delayed";

  /** Of all such repositories of the process. */
  static volatile long delayMillis;

  static final LongAdder REQUESTS = new LongAdder();
  static final LongAdder BYTES = new LongAdder();

  private static final int BUFFER_BYTES = 128 << 10;

  @Override
  public Map<String, Repository.Factory> getRepositories(
      Environment environment,
      NamedXContentRegistry registry,
      ClusterService cluster,
      RecoverySettings recovery) {
    return Map.of(
        TYPE,
        metadata -> new DelayedRepository(metadata, environment, registry, cluster, recovery));
  }

  private static final class DelayedRepository extends FsRepository {
    DelayedRepository(
        RepositoryMetadata metadata,
        Environment environment,
        NamedXContentRegistry registry,
        ClusterService cluster,
        RecoverySettings recovery) {
      super(metadata, environment, registry, cluster, recovery);
    }

    @Override
    protected BlobStore createBlobStore() throws Exception {
      Path folder = environment.resolveRepoFile(LOCATION_SETTING.get(getMetadata().settings()));
      return new FsBlobStore(BUFFER_BYTES, folder, isReadOnly()) {
        @Override
        public BlobContainer blobContainer(BlobPath path) {
          try {
            return new DelayedContainer(this, path, buildAndCreate(path));
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        }
      };
    }
  }

  private static final class DelayedContainer extends FsBlobContainer {
    DelayedContainer(FsBlobStore store, BlobPath path, Path folder) {
      super(store, path, folder);
    }

    @Override
    public InputStream readBlob(String name, long position, long length) throws IOException {
      REQUESTS.increment();
      BYTES.add(length);
      long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMillis);
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(this, left);
      }
      return super.readBlob(name, position, length);
    }
  }
}
