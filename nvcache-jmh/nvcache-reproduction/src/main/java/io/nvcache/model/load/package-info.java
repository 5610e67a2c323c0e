// SPDX-License-Identifier: Apache-2.0
/** What the clients of the model ask for: key distributions and mixes. */
@NullMarked
package io.nvcache.model.load;

import org.jspecify.annotations.NullMarked;
