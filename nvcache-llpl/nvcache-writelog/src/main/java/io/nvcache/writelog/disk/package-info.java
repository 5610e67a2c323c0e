// SPDX-License-Identifier: Apache-2.0
/** The disk below a log: its files, their identities, and which run of the system this is. */
@NullMarked
package io.nvcache.writelog.disk;

import org.jspecify.annotations.NullMarked;
