// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of an open log: files and their names, the changes that enter the log, and the drain
 * that brings them to the disk. A recovery comes before, and is not known here.
 */
@NullMarked
package io.nvcache.writelog.log;

import org.jspecify.annotations.NullMarked;
