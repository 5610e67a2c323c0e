// SPDX-License-Identifier: Apache-2.0
/**
 * A second-level cache of immutable file blocks, on media slower than DRAM and faster than disk.
 *
 * <p>{@link io.nvcache} is where to begin; {@link io.nvcache.admission}, {@link
 * io.nvcache.eviction} and {@link io.nvcache.medium} are what a program can extend. What is not
 * exported may change in any release.
 */
@SuppressWarnings("module") // When core is compiled, the modules that it names are not there yet.
module io.nvcache.core {
  requires chronicle.bytes;
  requires chronicle.core;
  requires com.github.benmanes.caffeine;
  requires transitive java.management;
  requires java.rmi;
  requires jdk.management;
  requires jdk.unsupported;
  requires static micrometer.core;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports io.nvcache;
  exports io.nvcache.admission;
  exports io.nvcache.control;
  exports io.nvcache.eviction;
  exports io.nvcache.jmx;
  exports io.nvcache.medium;
  exports io.nvcache.micrometer;
  exports io.nvcache.tiered;

  // For this project's own modules; other code is refused these packages.
  exports io.nvcache.background to
      io.nvcache.cassandra,
      io.nvcache.hbase,
      io.nvcache.lucene,
      io.nvcache.writelog;
  exports io.nvcache.host to
      io.nvcache.cassandra,
      io.nvcache.hbase,
      io.nvcache.lucene;
  exports io.nvcache.medium.file to
      io.nvcache.llpl;
  exports io.nvcache.memory to
      io.nvcache.cli,
      io.nvcache.hbase,
      io.nvcache.llpl,
      io.nvcache.writelog;
  exports io.nvcache.stats to
      io.nvcache.cassandra,
      io.nvcache.hbase,
      io.nvcache.sim;
}
