import type { TestContext } from 'vitest';
import { type StartJarOptions, startJar, type TestJar } from '../../../src/testing/index.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';

/** The same story on each kind of store. */
export const STORES: readonly (readonly [
  name: string,
  start: (context: TestContext, options?: StartJarOptions) => Promise<TestJar>,
])[] = [
  ['sqlite', (_context, options) => startJar(options)],
  [
    'postgres',
    async (context, options) => startJar({ ...options, databaseUrl: await usePostgresDatabase(context, 'identity') }),
  ],
];
