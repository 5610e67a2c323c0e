// SPDX-License-Identifier: Apache-2.0
/** Results of YCSB: tables, records, the page. */
@NullMarked
package io.nvcache.ycsb.report;

import org.jspecify.annotations.NullMarked;
