import type { Cell, ColumnType } from './typed/types.ts';
import type { Collection, WorkItem } from './types.ts';

/** What a store refuses; the layers above turn these into the wire errors of their API. */
export type StoreErrorCode =
  | 'PRECONDITION_FAILED' // an `ifMatch` or `ifNoneMatch` does not hold
  | 'LEASE_LOST' // the work item is no longer this holder's
  | 'BAD_QUERY' // a filter, order or position that does not fit the collection
  | 'UNKNOWN_TABLE' // there is no typed table of the name, or its columns are others by now
  | 'BAD_VALUE' // a value that its typed column cannot have (`UnfitValue`), or too many or too few values for a row
  | 'DUPLICATE_VALUE' // a unique typed column has the value already, or lacks one (`DuplicateValue`)
  | 'UNCONVERTIBLE' // a typed column has values that its new type cannot keep
  | 'STATEMENT' // a statement over typed tables failed by what it computes; the message is for its author
  | 'TOO_LONG' // a statement over typed tables took more time than it may
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

/** A value of a batch that its typed column cannot have. */
export class UnfitValue extends StoreError {
  readonly column: string;
  /** Its place in the batch, from 0 on. */
  readonly row: number;
  /** Behind "the value". */
  readonly reason: string;
  constructor(column: string, row: number, reason: string) {
    super('BAD_VALUE', `row ${row + 1} has a value in ${column} that cannot be stored: it ${reason}`);
    this.name = 'UnfitValue';
    this.column = column;
    this.row = row;
    this.reason = reason;
  }
}

/** A unique column of a typed table has this value already, or is to have it twice; null where a row has none. */
export class DuplicateValue extends StoreError {
  readonly column: string;
  readonly value: Cell;
  constructor(column: string, value: Cell, options?: ErrorOptions) {
    const message =
      value === null
        ? `the column ${column} is unique and must have a value in every row`
        : `the column ${column} is unique and has the value '${String(value).slice(0, 200)}' more than once`;
    super('DUPLICATE_VALUE', message, options);
    this.name = 'DuplicateValue';
    this.column = column;
    this.value = value;
  }
}

/** A column of a typed table has values that the type it is to get cannot keep exactly. */
export class Unconvertible extends StoreError {
  readonly column: string;
  constructor(column: string, from: ColumnType, to: ColumnType) {
    super('UNCONVERTIBLE', `the column ${column} has values of type ${from} that cannot be kept as ${to}`);
    this.name = 'Unconvertible';
    this.column = column;
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
