// SPDX-License-Identifier: Apache-2.0
/** Names, lengths and regions of store files. */
@NullMarked
package io.nvcache.hbase.files;

import org.jspecify.annotations.NullMarked;
