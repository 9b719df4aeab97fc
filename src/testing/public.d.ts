/// <reference types="node" />

/**
 * What `cloudjar/testing` exports, for the compiler of a program that uses it. These are declaration files, since a compiler checks the
 * sources of a package by the settings of the program: those of the jar need others.
 */
import type { StartJarOptions, TestJar } from './jar-types.d.ts';

export type * from './faults-types.d.ts';
export type * from './inbox-types.d.ts';
export type * from './jar-types.d.ts';
export type * from './mailbox-types.d.ts';

/** Starts a jar inside the process of the test: in memory, on free ports, with a clock that stands still. */
export function startJar(options?: StartJarOptions): Promise<TestJar>;
