import type { Books, Draft } from '../records/books.ts';
import type { Row } from '../records/row.ts';

export type { Draft };

/** What the application does of its own accord when records of a table are written. */
export interface TableRules {
  /** Before a new record is written, its relations resolved and its number given; `given` are the fields that somebody set. */
  insert?(books: Books, draft: Draft, given: ReadonlySet<string>): Promise<void> | void;
  /** Before a change is written; `changed` are the fields that differ, in `draft` the whole record. */
  modify?(books: Books, draft: Draft, before: Row, changed: ReadonlySet<string>): Promise<void> | void;
  /** Before a record is removed; throws where it may not be. */
  remove?(books: Books, row: Row): Promise<void> | void;
  /** Once for each record whose lines changed: gives the fields of it that follow from them. */
  linesChanged?(books: Books, header: Row): Promise<Draft> | Draft;
}

/** A bound action on a record. */
export type BoundAction = (books: Books, row: Row, parameters: Readonly<Record<string, unknown>>) => Promise<void>;
