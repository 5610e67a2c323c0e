// SPDX-License-Identifier: Apache-2.0
/** The durable log: records in lanes, the table of files, the drain and the recovery. */
@NullMarked
package io.nvcache.writelog.log;

import org.jspecify.annotations.NullMarked;
