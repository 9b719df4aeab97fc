/**
 * Type declarations of `cloudjar/testing`. Hand-written, because a compiler checks the sources of a package with the settings of the
 * program, and the jar's sources need others. The build bundles them into one file.
 */
import type { StartJarOptions, TestJar } from './jar-types.d.ts';

export type * from '../client/types/bytes.d.ts';
export type * from '../client/types/deliveries.d.ts';
export * from '../client/types/error.d.ts';
export type * from '../client/types/faults.d.ts';
export type * from '../client/types/inbox.d.ts';
export type * from '../client/types/jar.d.ts';
export type * from '../client/types/limits.d.ts';
export type * from '../client/types/mailbox.d.ts';
export type * from './jar-types.d.ts';

declare global {
  interface SymbolConstructor {
    /** Declared here for programs with an older `lib`. */
    readonly asyncDispose: unique symbol;
  }
}

/** Starts a jar in the process of the test: in memory, on free ports, with a clock that stands still. */
export function startJar(options?: StartJarOptions): Promise<TestJar>;
