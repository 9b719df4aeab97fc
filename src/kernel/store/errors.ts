import type { Collection, WorkItem } from './types.ts';

/** What a store refuses; the layers above turn these into the wire errors of their API. */
export type StoreErrorCode =
  | 'PRECONDITION_FAILED' // an `ifMatch` or `ifNoneMatch` does not hold
  | 'LEASE_LOST' // the work item is no longer this holder's
  | 'BAD_QUERY' // a filter, order or position that does not fit the collection
  | 'UNFIT' // a captured document that this release's declaration of its collection cannot read
  | 'CLOSED' // the store was closed, or the transaction is over
  | 'CONFLICT' // transactions of several nodes kept getting in each other's way
  | 'UNREACHABLE' // the database does not answer
  | 'UNCERTAIN' // the database was lost while it committed: the change may or may not have been made
  | 'BUSY' // the database answers, but has too much to do for one more call
  | 'READ_ONLY' // the database answers, but takes no writes
  | 'ABANDONED' // whoever asked has left, so nothing was done
  | 'IN_USE' // another jar has this data folder
  | 'FOREIGN_FOLDER' // the folder holds something that is not a jar's
  | 'NEWER_VERSION' // written by a later release
  | 'UNWRITABLE'; // no right to write there

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

export function leaseLost(item: WorkItem<unknown>): StoreError {
  return new StoreError('LEASE_LOST', `the work item '${item.id}' is no longer held by this lease`);
}

/** A full disk and the like are no fault of the document; they stay what they are. */
export function documentDoesNotFit(collection: Collection<never>, key: string, error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)) return error;
  const message = `the document '${key.slice(0, 200)}' of ${collection.name} does not fit this release: ${error.message}`;
  return new StoreError('UNFIT', message, { cause: error });
}

export function upgradeFailed(
  { name, version }: Collection<never>,
  key: string,
  from: number,
  error: unknown,
): StoreError {
  const reason = error instanceof Error ? error.message : String(error);
  const versions = `from version ${from} to ${version}`;
  const message = `the document '${key.slice(0, 200)}' of ${name} could not be upgraded ${versions}: ${reason}`;
  return new StoreError('UNFIT', message, { cause: error });
}

export function refuseLoad(collection: string, why: string): StoreError {
  return new StoreError('UNFIT', `the collection '${collection.slice(0, 200)}' cannot be loaded: ${why}`);
}
