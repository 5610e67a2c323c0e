// SPDX-License-Identifier: Apache-2.0
/** What the clients of the model ask for: key distributions, mixes, recorded traces. */
@NullMarked
package io.nvcache.model.load;

import org.jspecify.annotations.NullMarked;
