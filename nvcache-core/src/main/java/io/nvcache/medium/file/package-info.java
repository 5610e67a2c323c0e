// SPDX-License-Identifier: Apache-2.0
/**
 * What media in files ask of the system: devices, locks, processes, and calls that interrupts end.
 */
@NullMarked
package io.nvcache.medium.file;

import org.jspecify.annotations.NullMarked;
