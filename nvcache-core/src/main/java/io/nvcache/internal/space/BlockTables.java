// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.FileTable;
import org.jspecify.annotations.Nullable;

/**
 * Where blocks are.
 *
 * @param index finds an entry by a block's key
 * @param files numbers the files that keys are made of
 * @param allocator knows the places on the medium, taken and free
 * @param space reads and writes the medium in place
 * @param regions does so where blocks are appended to regions; null where they are not
 */
public record BlockTables(
    BlockIndex index,
    FileTable files,
    Allocator allocator,
    MediumSpace space,
    @Nullable RegionSpace regions) {}
