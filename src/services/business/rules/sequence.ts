import { errors } from '../errors.ts';
import type { Books } from '../records/books.ts';
import { records } from '../records/collection.ts';
import { conditions } from '../records/conditions.ts';
import { listOf, Row } from '../records/row.ts';
import { invalid } from './refuse.ts';
import type { Draft } from './types.ts';

/** Step between line numbers, so that lines can be inserted between them. */
const STEP = 10_000;
const LARGEST = 2_147_483_647;

/** The line with the highest number, or undefined. */
export async function lastLine(books: Books, tableName: string, by: string, id: string): Promise<Row | undefined> {
  const table = books.model.table(tableName);
  const filter = conditions(table, listOf(books.scopeOf(table), table), { [by]: id });
  const order = [
    { field: 't1', descending: true },
    { field: 'n1', descending: true },
  ];
  const { items } = await books.tx.query(records, { filter, order, limit: 1 });
  return items[0] && new Row(table, items[0]);
}

/** Assigns a number to a line, or checks that a given number is unique. */
export async function claimSequence(
  books: Books,
  table: string,
  draft: Draft,
  by: string,
  field: string,
): Promise<void> {
  const id = draft[by] as string;
  const value = draft[field] as number;
  if (value === 0) {
    const last = await lastLine(books, table, by, id);
    const next = (last?.number(field) ?? 0) + STEP;
    if (next > LARGEST) throw invalid(field, `no number is left after ${next - STEP}`);
    draft[field] = next;
    return;
  }
  if (value < 0) throw invalid(field, 'it must be greater than 0');
  if (!(await books.find(table, { [by]: id, [field]: value }))) return;
  const entity = books.model.table(table).caption;
  throw errors.Internal_EntityWithSameKeyExists({ entity, field, value }, { target: field });
}
