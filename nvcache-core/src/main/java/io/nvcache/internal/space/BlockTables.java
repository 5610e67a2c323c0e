// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.FileTable;

/**
 * The tables that say where blocks are.
 *
 * @param index finds an entry by a block's key
 * @param files numbers the files that keys are made of
 * @param locations reads what entries say of a block's place
 * @param space is the medium
 * @param blocks reads blocks, and takes their places back
 */
public record BlockTables(
    BlockIndex index,
    FileTable files,
    LocationCodec locations,
    MediumSpace space,
    BlockSpace blocks) {}
