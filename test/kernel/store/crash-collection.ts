import { collection, set, text } from '../../../src/kernel/store/collection.ts';
import type { Cell, TableDefinition } from '../../../src/kernel/store/typed/types.ts';

export interface Crashed {
  readonly id: string;
  readonly tags: readonly string[];
}

export const crashed = collection<Crashed>('test.crashed', {
  fields: { id: text((document) => document.id), tags: set((document) => document.tags) },
  indexes: [['id']],
});

/** Every write includes a batch of rows. */
export const BATCH = 20;

export const batches: TableDefinition = {
  name: 'batches',
  columns: [
    { name: 'c1', type: 'text', unique: false },
    { name: 'c2', type: 'int64', unique: false },
    { name: 'c3', type: 'text', unique: true },
  ],
};

export const batchOf = (id: string): Cell[][] => Array.from({ length: BATCH }, (_, i) => [id, i, `${id} ${i}`]);
