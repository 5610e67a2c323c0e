// SPDX-License-Identifier: Apache-2.0
/** A durable write log in persistent memory, for programs that write files through NIO. */
@SuppressWarnings("module") // The module that is named is compiled later.
module io.nvcache.writelog {
  requires transitive io.nvcache.core;
  requires static io.nvcache.llpl;
  requires static java.instrument;
  requires java.rmi;
  requires jdk.nio.mapmode;
  requires jdk.unsupported;
  requires static micrometer.core;
  requires static net.bytebuddy;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports io.nvcache.writelog;
  exports io.nvcache.writelog.nio;

  provides java.nio.file.spi.FileSystemProvider with
      io.nvcache.writelog.nio.WriteLogFileSystemProvider;
}
