// SPDX-License-Identifier: Apache-2.0
/** The systems that the model compares: what each does between page cache and disk. */
@NullMarked
package io.nvcache.model.tier;

import org.jspecify.annotations.NullMarked;
