// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import java.nio.ByteBuffer;

/** Writes and reads regions in the clear, where each part has a sum. */
class ClearCodec implements RegionCodec {
  @Override
  public int version() {
    return RegionLayout.VERSION;
  }

  @Override
  public boolean readsPagesAsTheyAre() {
    return true;
  }

  @Override
  public void openRegion(int region, ByteBuffer header, int at) {
    RegionLayout.putRegionSum(header, at);
  }

  @Override
  public boolean adoptRegion(int region, ByteBuffer header, int at) {
    return RegionLayout.hasRegionSum(header, at);
  }

  @Override
  public BlockCodec ofBlocks(AppendLog log) {
    return new ClearBlocks(log);
  }

  @Override
  public void sealFooter(ByteBuffer footer, int region, long generation) {}

  @Override
  public boolean openFooter(ByteBuffer footer, int region, long generation) {
    return true;
  }

  @Override
  public void putTag(ByteBuffer bytes, int at, int length) {}

  @Override
  public ByteBuffer wrapped() {
    return ByteBuffer.allocate(0);
  }
}
