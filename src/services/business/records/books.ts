import type { Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import type { Model, Table, Value } from '../model/types.ts';
import type { Actor } from '../users/actor.ts';
import type { Company } from './company.ts';
import type { Where } from './conditions.ts';
import type { Row } from './row.ts';

/** The values of a record that is about to be written; rules complete and correct them. */
export type Draft = Record<string, Value>;

export interface RecordChange {
  readonly type: 'created' | 'updated' | 'deleted';
  /** As it is now; of a deleted record, as it was. */
  readonly row: Row;
  /** Of an updated record, as it was. */
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
  /** Writes what follows from other records, which is no change of the record by anybody. */
  derive(row: Row, values: Readonly<Record<string, Value>>): Promise<Row>;
  remove(row: Row): Promise<void>;
  /** What belongs to a record has changed, and with it the record: it follows as it does its lines. */
  touch(table: string, id: string): void;
  /** Lets records follow their lines; to be called before anybody looks at them. */
  settle(): Promise<void>;
  /** The newest version of a row that this transaction has written, or the row itself. */
  current(row: Row): Row;
  /** Whether no other record has the key of this one; those who ask at the same moment wait for each other. */
  isFree(table: Table, draft: Draft): Promise<boolean>;
}
