import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../../src/kernel/store/sqlite/store.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { collections } from './harness.ts';

export interface Engine {
  readonly name: string;
  /** An empty store of its own. */
  open(): Promise<Store>;
}

/** Where a store can be that outlives the process. */
export interface Place {
  readonly name: string;
  create(): Promise<{ readonly location: string; remove(): Promise<void> }>;
}

export const engines: readonly Engine[] = [{ name: 'sqlite', open: () => openSqlite({ collections }) }];

export const places: readonly Place[] = [
  {
    name: 'sqlite',
    create: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cloudjar-work-'));
      return { location: join(folder, 'jar.db'), remove: () => rm(folder, { recursive: true }) };
    },
  },
];
