// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializerIdManager;
import org.apache.hadoop.hbase.nio.ByteBuff;

/** A Cacheable that is no HFileBlock, has its own deserializer, and does not flip its buffer. */
public final class ForeignBlock implements Cacheable {
  private static final class Deserializer implements CacheableDeserializer<Cacheable> {
    @Override
    public Cacheable deserialize(ByteBuff source, ByteBuffAllocator allocator) {
      byte[] bytes = new byte[source.remaining()];
      source.get(bytes);
      return new ForeignBlock(bytes, false, BlockType.DATA);
    }

    @Override
    public int getDeserializerIdentifier() {
      return ID;
    }
  }

  private static final Deserializer DESERIALIZER = new Deserializer();
  private static final int ID = CacheableDeserializerIdManager.registerDeserializer(DESERIALIZER);

  private final byte[] bytes;
  private final boolean failing;
  private final BlockType type;

  public ForeignBlock(String text) {
    this(text, BlockType.DATA);
  }

  public ForeignBlock(String text, BlockType type) {
    this(text.getBytes(StandardCharsets.UTF_8), false, type);
  }

  private ForeignBlock(byte[] bytes, boolean failing, BlockType type) {
    this.bytes = bytes;
    this.failing = failing;
    this.type = type;
  }

  public static ForeignBlock failing() {
    return failing(BlockType.DATA);
  }

  public static ForeignBlock failing(BlockType type) {
    return new ForeignBlock(new byte[10], true, type);
  }

  void overwrite() {
    Arrays.fill(bytes, (byte) 0);
  }

  @Override
  public int getSerializedLength() {
    return bytes.length;
  }

  @Override
  public void serialize(ByteBuffer destination, boolean includeNextBlockMetadata) {
    if (failing) {
      throw new IllegalStateException("meant to fail");
    }
    destination.put(bytes);
  }

  @Override
  public CacheableDeserializer<Cacheable> getDeserializer() {
    return DESERIALIZER;
  }

  @Override
  public BlockType getBlockType() {
    return type;
  }

  @Override
  public long heapSize() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ForeignBlock block && Arrays.equals(bytes, block.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
