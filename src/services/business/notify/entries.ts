import { isoTime } from '../../../kernel/time/index.ts';
import type { Subscription } from '../webhooks/collection.ts';
import type { Part, PendingEntry, QueuedEntry } from './collections.ts';

/** A change may be seen by a clock that is a little ahead of the one that stamps records. */
export const LEEWAY_MS = 50;

type Told = Pick<Subscription, 'subscriptionId' | 'resource' | 'target'>;

/** One record that has changed. */
export const singleEntry = (
  { subscriptionId, resource }: Told,
  { entityKey, type, at }: PendingEntry,
): QueuedEntry => ({
  subscriptionId,
  resource: `${resource}(${entityKey})`,
  changeType: type,
  lastModifiedDateTime: isoTime(at),
});

/**
 * More records than are told one by one. What was deleted cannot be found by a filter, so with a delete among them the whole collection is
 * named; and so it is where its entities do not show when they were changed.
 */
export function collectionEntry({ subscriptionId, resource, target }: Told, part: Part, lastAt: number): QueuedEntry {
  const isFiltered = !part.hasDelete && target.showsLastModified;
  const filter = `?$filter=lastModifiedDateTime%20gt%20${isoTime(part.firstAt - LEEWAY_MS)}`;
  return {
    subscriptionId,
    resource: isFiltered ? resource + filter : resource,
    changeType: 'collection',
    lastModifiedDateTime: isoTime(lastAt),
  };
}
