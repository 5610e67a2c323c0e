// SPDX-License-Identifier: Apache-2.0
/** How blocks are written, which are taken, and who asks for them. */
@NullMarked
package io.nvcache.hbase.blocks;

import org.jspecify.annotations.NullMarked;
