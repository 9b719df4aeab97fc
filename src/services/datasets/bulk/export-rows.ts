import { Readable } from 'node:stream';
import { ok } from '../../../kernel/http/index.ts';
import type { ColumnType, NumberedRow } from '../../../kernel/store/index.ts';
import { type DatasetsJar, routeCode } from '../jar.ts';
import { jsonText } from '../language/index.ts';
import type { ScalarType } from '../language/scalar/types.ts';
import type { Column } from '../model/types.ts';
import { type FoundTable, findAnyTable, refuseOtherSchema } from './find.ts';

/** Target size of a page. Row sizes differ, so the number of rows on the next page follows from the average row size of the last page. */
const PAGE_BYTES = 1024 * 1024;
const FIRST_PAGE_ROWS = 100;
const MOST_PAGE_ROWS = 10_000;

const SCALARS: Readonly<Record<ColumnType, ScalarType>> = {
  int64: 'int',
  decimal: 'decimal',
  double: 'double',
  boolean: 'boolean',
  datetime: 'date',
  text: 'text',
};

/**
 * All rows of a table in the order in which they were pushed, one JSON object per line. Blanks are null, dates are ISO 8601, numbers keep
 * all their digits.
 */
export const exportRows = routeCode(['dataset', 'table'], {
  responses: { 200: 'One JSON object per line' },
  async handle({ jar, params }) {
    const found = await findAnyTable(jar, params.dataset, params.table);
    const pages = Readable.from(textOf(jar, found), { objectMode: false });
    return ok(pages, { 'content-type': 'application/x-ndjson' });
  },
});

async function* textOf(jar: DatasetsJar, found: FoundTable): AsyncGenerator<string> {
  const { storage, columns } = found.table;
  const line = lineOf(columns);
  let after = 0;
  let limit = FIRST_PAGE_ROWS;
  for (;;) {
    const page = await jar.store.tables.rows(storage, after, limit);
    await refuseOtherSchema(jar, found);
    const text = page.map(line).join('');
    if (text !== '') yield text;
    if (page.length < limit) return;
    after = page.at(-1)?.number ?? after;
    const average = text.length / page.length;
    limit = Math.min(Math.max(Math.floor(PAGE_BYTES / average), 1), MOST_PAGE_ROWS);
  }
}

function lineOf(columns: readonly Column[]): (row: NumberedRow) => string {
  const names = columns.map(({ name }, i) => `${i === 0 ? '' : ','}${JSON.stringify(name)}:`);
  const types = columns.map(({ type }) => SCALARS[type]);
  return ({ cells }) => {
    let text = '{';
    for (const [i, name] of names.entries()) text += name + jsonText(cells[i] ?? null, types[i] ?? 'text');
    return `${text}}\n`;
  };
}
