// SPDX-License-Identifier: Apache-2.0
/** What is looked at once a second, and reported. */
@NullMarked
package io.nvcache.internal.health;

import org.jspecify.annotations.NullMarked;
