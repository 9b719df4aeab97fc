import { isoTime } from '../../../kernel/time/index.ts';
import type { Subscription } from '../webhooks/collection.ts';
import type { Part, PendingEntry, QueuedEntry } from './collections.ts';

/** The clock that detects a change may be slightly ahead of the clock that stamps the record. */
export const LEEWAY_MS = 50;

type Told = Pick<Subscription, 'subscriptionId' | 'resource' | 'target'>;

/** Entry for one changed record. */
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
 * Entry for more records than are notified singly. A filter cannot find deleted records, so the whole collection is named if a delete is
 * among the changes, or if the entity does not show its modification time.
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
