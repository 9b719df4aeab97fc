import type { ChangeType } from './types.ts';

/** A change of an item, under the id that the subscriber knows. */
export interface SeenChange<S> {
  readonly id: string;
  readonly changeType: ChangeType;
  readonly source: S;
}

/** Combines two changes of an item in one transaction; undefined if the item was created and deleted. */
const TOGETHER: Readonly<Record<ChangeType, Readonly<Record<ChangeType, ChangeType | undefined>>>> = {
  created: { created: 'created', updated: 'created', deleted: undefined },
  updated: { created: 'updated', updated: 'updated', deleted: 'deleted' },
  // The item moved within the watched resource and kept its id.
  deleted: { created: 'updated', updated: 'updated', deleted: 'deleted' },
};

/** Coalesces changes to one for each item: the last one, with the combined change type. */
export function coalesced<S>(changes: readonly SeenChange<S>[]): readonly SeenChange<S>[] {
  const known = new Map<string, SeenChange<S>>();
  for (const change of changes) {
    const before = known.get(change.id);
    const changeType = before ? TOGETHER[before.changeType][change.changeType] : change.changeType;
    known.delete(change.id);
    if (changeType !== undefined) known.set(change.id, { ...change, changeType });
  }
  return [...known.values()];
}
