/**
 * What `cloudjar/testing` exports, for the compiler of a program that uses it. These are declaration files, since a compiler checks the
 * sources of a package by the settings of the program: those of the jar need others. The build makes one file of them.
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
    /** Declared here too for programs whose `lib` is older than it. */
    readonly asyncDispose: unique symbol;
  }
}

/** Starts a jar inside the process of the test: in memory, on free ports, with a clock that stands still. */
export function startJar(options?: StartJarOptions): Promise<TestJar>;
