// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.nio.ByteBuff;

/** A real HFile in a temporary directory, with the cells that are in it. */
public final class SampleHFile {
  public static final int CELLS = 3000;

  private final Configuration configuration;
  private final FileSystem fileSystem;
  private final Path path;
  private final List<KeyValue> cells = new ArrayList<>();

  private SampleHFile(Configuration configuration, Path path) throws IOException {
    this.configuration = configuration;
    this.path = path;
    this.fileSystem = new LocalFileSystem();
    fileSystem.initialize(URI.create("file:///"), configuration);
  }

  /** A small block of zeros. */
  public static HFileBlock block(BlockType type) {
    int length = 100;
    int header = HConstants.HFILEBLOCK_HEADER_SIZE;
    return new HFileBlock(
        type,
        length,
        length,
        -1,
        ByteBuff.wrap(ByteBuffer.allocate(header + length)),
        true,
        0,
        -1,
        header + length,
        new HFileContextBuilder().withHBaseCheckSum(false).build(),
        ByteBuffAllocator.HEAP);
  }

  public static SampleHFile write(java.nio.file.Path file, long seed) throws IOException {
    return write(
        file, seed, new Configuration(), Compression.Algorithm.NONE, DataBlockEncoding.NONE);
  }

  public static SampleHFile write(
      java.nio.file.Path file,
      long seed,
      Configuration configuration,
      Compression.Algorithm compression,
      DataBlockEncoding encoding)
      throws IOException {
    return write(
        file,
        seed,
        configuration,
        HFile.getWriterFactoryNoCache(configuration),
        compression,
        encoding);
  }

  /** Writes a file as a store does whose family has these settings. */
  static SampleHFile write(
      java.nio.file.Path file, long seed, Configuration configuration, CacheConfig family)
      throws IOException {
    return write(
        file,
        seed,
        configuration,
        HFile.getWriterFactory(configuration, family),
        Compression.Algorithm.NONE,
        DataBlockEncoding.NONE);
  }

  private static SampleHFile write(
      java.nio.file.Path file,
      long seed,
      Configuration configuration,
      HFile.WriterFactory factory,
      Compression.Algorithm compression,
      DataBlockEncoding encoding)
      throws IOException {
    SampleHFile written = new SampleHFile(configuration, new Path(file.toUri()));
    Random random = new Random(seed);
    try (HFile.Writer writer =
        factory
            .withPath(written.fileSystem, written.path)
            .withFileContext(
                new HFileContextBuilder()
                    .withBlockSize(4096)
                    .withCompression(compression)
                    .withDataBlockEncoding(encoding)
                    .build())
            .create()) {
      for (int i = 0; i < CELLS; i++) {
        byte[] value = new byte[20 + random.nextInt(100)];
        random.nextBytes(value);
        KeyValue cell = new KeyValue(row(i), bytes("f"), bytes("q"), 1, value);
        writer.append(cell);
        written.cells.add(cell);
      }
    }
    return written;
  }

  private static byte[] row(int i) {
    return bytes(String.format("row%08d", i));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  String name() {
    return path.getName();
  }

  public HFile.Reader open(BlockCache cache) throws IOException {
    return open(new CacheConfig(configuration, cache));
  }

  HFile.Reader open(CacheConfig family) throws IOException {
    return HFile.createReader(fileSystem, path, family, true, configuration);
  }

  /** Reads all data blocks in order, and compares all cells. */
  public int countEqualCells(HFile.Reader reader) throws IOException {
    int equal = 0;
    try (HFileScanner scanner = reader.getScanner(configuration, true, true)) {
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        KeyValue expected = cells.get(equal);
        if (!CellUtil.equals(expected, scanner.getCell())
            || !CellUtil.matchingValue(expected, scanner.getCell())) {
          throw new AssertionError("Cell " + equal + " is wrong: " + scanner.getCell());
        }
        equal++;
      }
    }
    return equal;
  }

  /** Seeks one cell and compares it. */
  boolean holdsCell(HFile.Reader reader, int i) throws IOException {
    try (HFileScanner scanner = reader.getScanner(configuration, true, true)) {
      return scanner.seekTo(cells.get(i)) == 0
          && CellUtil.matchingValue(cells.get(i), scanner.getCell());
    }
  }

  /** Counts the data blocks by walking over them past all caches. */
  public int countDataBlocks() throws IOException {
    int blocks = 0;
    try (HFile.Reader reader =
        HFile.createReader(fileSystem, path, CacheConfig.DISABLED, true, configuration)) {
      long end = reader.getTrailer().getLastDataBlockOffset();
      long offset = reader.getTrailer().getFirstDataBlockOffset();
      while (offset <= end) {
        HFileBlock block = reader.readBlock(offset, -1, false, true, false, false, null, null);
        offset += block.getOnDiskSizeWithHeader();
        blocks += block.getBlockType().isData() ? 1 : 0;
      }
    }
    return blocks;
  }
}
