// SPDX-License-Identifier: Apache-2.0
/**
 * What is done with the log of a program that has ended: what it holds is shown, or brought to its
 * files.
 */
@NullMarked
package io.nvcache.writelog.recovery;

import org.jspecify.annotations.NullMarked;
