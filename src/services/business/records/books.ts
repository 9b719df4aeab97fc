import type { Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import type { Model, Table, Value } from '../model/types.ts';
import type { Actor } from '../users/actor.ts';
import type { Company } from './company.ts';
import type { Where } from './conditions.ts';
import type { Row } from './row.ts';

/** Values of a record that is about to be written; rules complete and correct them. */
export type Draft = Record<string, Value>;

export interface RecordChange {
  readonly type: 'created' | 'updated' | 'deleted';
  /** The current record; if deleted, the record before the deletion. */
  readonly row: Row;
  /** The record before an update. */
  readonly before?: Row;
}

/** The books of a company within one transaction, as rules see them. */
export interface Books {
  readonly tx: Tx;
  readonly jar: BusinessJar;
  readonly model: Model;
  readonly company: Company;
  readonly actor: Actor;
  readonly now: number;
  readonly changes: readonly RecordChange[];
  scopeOf(table: Table): string;
  get(table: string, id: string): Promise<Row | undefined>;
  /** The first record with these values, in the order of the table. */
  find(table: string, where: Where): Promise<Row | undefined>;
  /** All records with these values, in the order of the table. */
  list(table: string, where: Where): Promise<Row[]>;
  insert(table: string, given: Readonly<Record<string, Value>>, id?: string): Promise<Row>;
  modify(row: Row, changes: Readonly<Record<string, Value>>): Promise<Row>;
  /** Writes values that follow from other records; does not count as a change of the record. */
  derive(row: Row, values: Readonly<Record<string, Value>>): Promise<Row>;
  remove(row: Row): Promise<void>;
  /** Marks a record as changed because something that belongs to it has changed; it is recalculated like after a change of its lines. */
  touch(table: string, id: string): void;
  /** Recalculates records whose lines have changed. Must be called before their values are used. */
  settle(): Promise<void>;
  /** The newest version of the row that this transaction has written, or the row itself. */
  current(row: Row): Row;
  /** True if no other record has the key of this one. Concurrent checks of the same key wait for each other. */
  isFree(table: Table, draft: Draft): Promise<boolean>;
}
