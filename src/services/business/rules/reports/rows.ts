/** Reads and creates the rows of reports. */
import { type Filter, pagesOf, type Reader } from '../../../../kernel/store/index.ts';
import type { Model, Value } from '../../model/types.ts';
import { records } from '../../records/collection.ts';
import type { Company } from '../../records/company.ts';
import { conditions, type Where } from '../../records/conditions.ts';
import { keyOf, listOf, packed, Row } from '../../records/row.ts';

/** Where a report reads. */
export interface Source {
  readonly reader: Reader;
  readonly model: Model;
  readonly company: Company;
  readonly now: number;
}

const PAGE = 1000;
/** Maximum of rows; equals the largest page size. */
const MOST_ROWS = 20_000;

/** Records of a table with these values that also meet a condition on a column, in the order of the table. */
export async function listRows(
  { reader, model, company }: Source,
  tableName: string,
  where: Where = {},
  more?: Filter,
): Promise<Row[]> {
  const table = model.table(tableName);
  const filter = conditions(table, listOf(company.key, table), where);
  const query = {
    filter: more ? ({ op: 'and', args: [filter, more] } as const) : filter,
    order: [{ field: 't1' }, { field: 'n1' }],
    page: PAGE,
  };
  const rows: Row[] = [];
  for await (const page of pagesOf(reader, records, query)) {
    rows.push(...page.map((stored) => new Row(table, stored)));
    if (rows.length >= MOST_ROWS) break;
  }
  return rows;
}

export async function readRow(
  { reader, model, company }: Source,
  tableName: string,
  id: string,
): Promise<Row | undefined> {
  const table = model.table(tableName);
  const stored = await reader.get(records, keyOf(company.key, table, id), 'none');
  return stored && new Row(table, stored);
}

/** A report row about a record: it has the record's id and modification time. */
export function reportRow(
  { model, company }: Source,
  tableName: string,
  about: Row,
  values: Record<string, Value>,
): Row {
  const table = model.table(tableName);
  return new Row(table, {
    key: keyOf(company.key, table, about.id),
    etag: about.etag,
    value: { ...about.stored.value, list: listOf(company.key, table), ...packed(table, values) },
  });
}
