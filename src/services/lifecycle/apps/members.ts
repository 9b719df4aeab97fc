import { eq, readAll } from '../../../kernel/store/index.ts';
import { appMembers } from '../collections.ts';
import type { OnDelete } from './deletion.ts';

export const dropMembers: OnDelete = async (tx, _jar, { id }) => {
  for (const { key } of await readAll(tx, appMembers, { filter: eq('appId', id) })) await tx.delete(appMembers, key);
};
