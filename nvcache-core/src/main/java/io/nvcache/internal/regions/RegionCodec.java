// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import java.nio.ByteBuffer;

/**
 * The coding of a cache's regions: in the clear, proven by sums, or sealed, proven by the tags of a
 * key.
 */
public interface RegionCodec {
  /** The codec of regions in the clear. */
  RegionCodec CLEAR = new ClearCodec();

  /** Returns the version in the header of a region. */
  int version();

  /** Returns whether blocks that fill pages have no header; see {@link RegionLayout}. */
  boolean readsPagesAsTheyAre();

  /** Completes the header of a region that is filled from now on with what proves it. */
  void openRegion(int region, ByteBuffer header, int at);

  /**
   * Makes ready to read what an earlier cache filled a region with.
   *
   * @return false if the header is not what was written
   */
  boolean adoptRegion(int region, ByteBuffer header, int at);

  /** Returns what puts the blocks of a log, and gets them back. */
  BlockCodec ofBlocks(AppendLog log);

  /** Seals a footer in place, if footers are sealed; their sums prove them otherwise. */
  void sealFooter(ByteBuffer footer, int region, long generation);

  /** Makes a footer what it was before; false if it is not what was sealed. */
  boolean openFooter(ByteBuffer footer, int region, long generation);

  /** Writes the tag of a superblock behind its bytes, if superblocks have one. */
  void putTag(ByteBuffer bytes, int at, int length);

  /** Returns the key that superblocks keep; empty if there is none. */
  ByteBuffer wrapped();
}
