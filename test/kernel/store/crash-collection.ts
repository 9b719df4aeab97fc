import { collection, set, text } from '../../../src/kernel/store/collection.ts';

export interface Crashed {
  readonly id: string;
  readonly tags: readonly string[];
}

export const crashed = collection<Crashed>('test.crashed', {
  fields: { id: text((document) => document.id), tags: set((document) => document.tags) },
  indexes: [['id']],
});
