import type { Books, Draft } from '../records/books.ts';
import type { Row } from '../records/row.ts';

export type { Draft };

/** Application rules that run when records of a table are written. */
export interface TableRules {
  /** Before a new record is written, after its relations and number are set; `given` are the fields that the caller set. */
  insert?(books: Books, draft: Draft, given: ReadonlySet<string>): Promise<void> | void;
  /** Before a change is written; `changed` are the fields that differ, `draft` is the whole record. */
  modify?(books: Books, draft: Draft, before: Row, changed: ReadonlySet<string>): Promise<void> | void;
  /** Before a record is removed; throws to refuse. */
  remove?(books: Books, row: Row): Promise<void> | void;
  /** Once for each record whose lines changed: returns its derived fields. */
  linesChanged?(books: Books, header: Row): Promise<Draft> | Draft;
}

/** A bound action on a record. */
export type BoundAction = (books: Books, row: Row, parameters: Readonly<Record<string, unknown>>) => Promise<void>;
