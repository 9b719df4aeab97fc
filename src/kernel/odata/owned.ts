import type { Collection, Position, Reader } from '../store/types.ts';
import { columnValue } from '../store/values.ts';
import { MOST_EXPANDED, type Navigation } from './expand.ts';

const PAGE = 1000;

/**
 * Returns the `load` of a navigation to documents that name their owner in a field. It loads the children of all parents in key order, up
 * to the limit of one request and one page more, which shows that the limit is exceeded.
 */
export function ownedBy<Parent, Child>(
  store: Reader,
  collection: Collection<Child>,
  field: string,
  idOf: (parent: Parent) => string | null | undefined,
): Navigation<Parent, Child>['load'] {
  const owner = collection.fields[field];
  if (owner?.type !== 'text')
    throw new Error(`'${field}' of ${collection.name} is not a text field that could name an owner`);
  return async (parents) => {
    const children = new Map<string, Child[]>();
    for (const parent of parents) {
      const id = idOf(parent);
      if (id !== null && id !== undefined) children.set(id, []);
    }
    const filter = { op: 'in', field, values: [...children.keys()] } as const;
    let after: Position | undefined;
    for (let read = 0; children.size > 0 && read <= MOST_EXPANDED; ) {
      const page = await store.query(collection, { filter, limit: PAGE, ...(after && { after }) });
      for (const { value } of page.items) children.get(String(columnValue(owner, value)))?.push(value);
      read += page.items.length;
      after = page.next;
      if (!after) break;
    }
    return parents.map((parent) => children.get(idOf(parent) ?? '') ?? []);
  };
}
