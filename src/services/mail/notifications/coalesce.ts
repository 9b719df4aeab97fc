import type { ChangeType } from './types.ts';

/** A change of an item under the id that a subscriber knows it by. */
export interface SeenChange<S> {
  readonly id: string;
  readonly changeType: ChangeType;
  readonly source: S;
}

/** What two changes of an item in one transaction come to: nothing where it came and went. */
const TOGETHER: Readonly<Record<ChangeType, Readonly<Record<ChangeType, ChangeType | undefined>>>> = {
  created: { created: 'created', updated: 'created', deleted: undefined },
  updated: { created: 'updated', updated: 'updated', deleted: 'deleted' },
  // It moved within what is watched, and has its id still.
  deleted: { created: 'updated', updated: 'updated', deleted: 'deleted' },
};

/** One change for each item: the last one, with what all of them come to. */
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
