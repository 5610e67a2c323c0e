// SPDX-License-Identifier: Apache-2.0
/** Whether the medium is asked. */
@NullMarked
package io.nvcache.internal.guard;

import org.jspecify.annotations.NullMarked;
