import type { Cell, ColumnType } from './typed/types.ts';
import type { Collection, WorkItem } from './types.ts';

/** Errors of a store; the layers above map them to the wire errors of their API. */
export type StoreErrorCode =
  | 'PRECONDITION_FAILED' // an `ifMatch` or `ifNoneMatch` does not hold
  | 'LEASE_LOST' // another holder has the work item now
  | 'BAD_QUERY' // a filter, order or position that does not fit the collection
  | 'UNKNOWN_TABLE' // no typed table has this name, or its columns have changed
  | 'BAD_VALUE' // a value that its typed column does not accept (`UnfitValueError`), or a row with too many or too few values
  | 'DUPLICATE_VALUE' // a unique typed column already has the value, or its value is missing (`DuplicateValueError`)
  | 'UNCONVERTIBLE' // a typed column has values that its new type cannot represent
  | 'STATEMENT' // a statement over typed tables failed during evaluation; the message is for its author
  | 'TOO_LONG' // a statement over typed tables exceeded its time limit
  | 'UNFIT' // a captured document that this release's declaration of its collection cannot read
  | 'CLOSED' // the store was closed, or the transaction is over
  | 'CONFLICT' // concurrent transactions of several nodes kept conflicting
  | 'UNREACHABLE' // the database does not answer
  | 'UNCERTAIN' // the connection was lost during a commit: the change may or may not have been made
  | 'BUSY' // the database answers, but is overloaded
  | 'READ_ONLY' // the database answers, but is read-only
  | 'ABANDONED' // the client has disconnected, so nothing was done
  | 'IN_USE' // another jar uses this data folder
  | 'FOREIGN_FOLDER' // the folder holds files that do not belong to a jar
  | 'NEWER_VERSION' // written by a later release
  | 'UNWRITABLE'; // no permission to write

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

/** A value of a batch that its typed column does not accept. */
export class UnfitValueError extends StoreError {
  readonly column: string;
  /** Zero-based index in the batch. */
  readonly row: number;
  /** Completes a sentence that begins with "the value". */
  readonly reason: string;
  constructor(column: string, row: number, reason: string) {
    super('BAD_VALUE', `row ${row + 1} has a value in ${column} that cannot be stored: it ${reason}`);
    this.name = 'UnfitValueError';
    this.column = column;
    this.row = row;
    this.reason = reason;
  }
}

/** A unique column of a typed table already has this value, or the batch contains it twice. The value is null if a row has none. */
export class DuplicateValueError extends StoreError {
  readonly column: string;
  readonly value: Cell;
  constructor(column: string, value: Cell, options?: ErrorOptions) {
    const message =
      value === null
        ? `the column ${column} is unique and must have a value in every row`
        : `the column ${column} is unique and has the value '${String(value).slice(0, 200)}' more than once`;
    super('DUPLICATE_VALUE', message, options);
    this.name = 'DuplicateValueError';
    this.column = column;
    this.value = value;
  }
}

/** A column of a typed table has values that its new type cannot represent exactly. */
export class UnconvertibleError extends StoreError {
  readonly column: string;
  constructor(column: string, from: ColumnType, to: ColumnType) {
    super('UNCONVERTIBLE', `the column ${column} has values of type ${from} that cannot be kept as ${to}`);
    this.name = 'UnconvertibleError';
    this.column = column;
  }
}

export function leaseLost(item: WorkItem<unknown>): StoreError {
  return new StoreError('LEASE_LOST', `the work item '${item.id}' is no longer held by this lease`);
}

/** Wraps only errors that the document causes. Others, such as a full disk, are returned unchanged. */
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
