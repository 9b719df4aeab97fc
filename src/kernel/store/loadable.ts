import { refuseLoad } from './errors.ts';
import type { Collection, StatePart } from './types.ts';

/** Returns the collection of a part of documents, and undefined for other parts. Throws if the collection cannot be loaded. */
export function loadable(declared: readonly Collection<never>[], part: StatePart): Collection<never> | undefined {
  if (part.of !== 'documents') return undefined;
  const collection = declared.find((each) => each.name === part.collection);
  if (!collection) throw refuseLoad(part.collection, 'this release does not know it');
  if (collection.permanent) throw refuseLoad(part.collection, "it is the jar's own");
  return collection;
}
