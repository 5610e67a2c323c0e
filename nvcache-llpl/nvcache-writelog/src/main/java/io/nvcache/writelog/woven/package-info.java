// SPDX-License-Identifier: Apache-2.0
/**
 * What the JDK's file classes call once they are woven. The agent defines these classes to the
 * bootstrap loader, so they use nothing but the JDK.
 */
@NullMarked
package io.nvcache.writelog.woven;

import org.jspecify.annotations.NullMarked;
