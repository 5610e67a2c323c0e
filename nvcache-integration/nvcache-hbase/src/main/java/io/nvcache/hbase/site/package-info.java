// SPDX-License-Identifier: Apache-2.0
/** What {@code hbase-site.xml} says, and how both levels are joined. */
@NullMarked
package io.nvcache.hbase.site;

import org.jspecify.annotations.NullMarked;
