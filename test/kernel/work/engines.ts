import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { openPostgres, openSqlite } from '../../../src/kernel/store/index.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { useEmptyDatabase } from '../../support/use-postgres.ts';
import { collections } from './harness.ts';

type Context = Pick<TestContext, 'skip'>;

export interface Engine {
  readonly name: string;
  /** Opens an empty store. */
  open(context: Context): Promise<Store>;
}

export const engines: readonly Engine[] = [
  { name: 'sqlite', open: () => openSqlite({ collections }) },
  {
    name: 'postgres',
    open: async (context) => openPostgres({ collections, url: await useEmptyDatabase(context, 'work') }),
  },
];

/** A location for stores that outlive the process. */
export interface Place {
  readonly name: string;
  create(context: Context): Promise<{ readonly location: string; remove(): Promise<void> }>;
}

const sqliteFile: Place = {
  name: 'sqlite',
  create: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-work-'));
    return { location: join(folder, 'jar.db'), remove: () => rm(folder, { recursive: true }) };
  },
};

const postgresDatabase: Place = {
  name: 'postgres',
  // Removed together with the server of the test run.
  create: async (context) => ({ location: await useEmptyDatabase(context, 'work'), remove: async () => {} }),
};

export const places: readonly Place[] = [sqliteFile, postgresDatabase];
/** Places that several processes can use at the same time. */
export const sharedPlaces: readonly Place[] = [postgresDatabase];
