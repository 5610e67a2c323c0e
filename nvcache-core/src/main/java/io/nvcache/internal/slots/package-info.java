/** Blocks in slots of the medium, written in place. */
@NullMarked
package io.nvcache.internal.slots;

import org.jspecify.annotations.NullMarked;
