import { refuseLoad } from './errors.ts';
import type { Collection, StatePart } from './types.ts';

/** The collection that a part's documents go to; undefined when it has none. Throws where nothing may be loaded to. */
export function loadable(declared: readonly Collection<never>[], part: StatePart): Collection<never> | undefined {
  if (part.of !== 'documents') return undefined;
  const collection = declared.find((each) => each.name === part.collection);
  if (!collection) throw refuseLoad(part.collection, 'this release does not know it');
  if (collection.permanent) throw refuseLoad(part.collection, "it is the jar's own");
  return collection;
}
