// SPDX-License-Identifier: Apache-2.0
/** Stand-ins for what the engine gives to policies. */
@NullMarked
package io.nvcache.testing;

import org.jspecify.annotations.NullMarked;
