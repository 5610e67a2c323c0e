// SPDX-License-Identifier: Apache-2.0
/** A machine with NVRAM, and a store on it, in virtual time around the real cache. */
@NullMarked
package io.nvcache.model;

import org.jspecify.annotations.NullMarked;
