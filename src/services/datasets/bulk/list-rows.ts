import { Type } from 'typebox';
import {
  type EntityShape,
  listAnswer,
  listOf,
  listQuery,
  listShape,
  type PropertyShape,
  type Walk,
} from '../../../kernel/odata/index.ts';
import { type Cell, type ColumnType, type NumberedRow, plainText } from '../../../kernel/store/index.ts';
import { type DatasetsJar, routeCode } from '../jar.ts';
import type { Column } from '../model/types.ts';
import { type FoundTable, findAnyTable, refuseOtherSchema } from './find.ts';

/** Rows that are read at once. */
const CHUNK = 100;

const RowView = Type.Object({
  number: Type.Integer({ description: 'Numbers rows in the order of their arrival; numbers can have gaps' }),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
    description: 'By name of the column. A number with more digits than a double keeps is text',
  }),
});

const NUMBER = { number: { type: 'Edm.Int64' } } as const;

const EDM = {
  int64: 'Edm.Int64',
  decimal: 'Edm.Decimal',
  double: 'Edm.Double',
  boolean: 'Edm.Boolean',
  datetime: 'Edm.DateTimeOffset',
  text: 'Edm.String',
} as const satisfies Record<ColumnType, PropertyShape['type']>;

/** The rows of a table as a list of the control API, the newest first: `$filter=values/City eq 'Oslo'`. */
export const listRows = routeCode(['dataset', 'table'], {
  query: listQuery({
    name: 'rows',
    properties: { ...NUMBER, 'values/{column}': { type: 'Edm.String' } },
  }),
  responses: { 200: listOf(RowView) },
  async handle(call) {
    const { jar, params } = call;
    const found = await findAnyTable(jar, params.dataset, params.table);
    const { columns } = found.table;
    return listAnswer(call, {
      shape: shapeOf(columns),
      walk: newestRows(jar, found),
      view: ({ value: { number, cells } }) => ({
        number,
        values: Object.fromEntries(columns.map(({ name, type }, place) => [name, shown(type, cells[place] ?? null)])),
      }),
    });
  },
});

function newestRows(jar: DatasetsJar, found: FoundTable): Walk<NumberedRow> {
  return async function* rows(after) {
    let before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after);
    for (;;) {
      const page = await jar.store.tables.newestRows(found.table.storage, before, CHUNK);
      await refuseOtherSchema(jar, found);
      for (const row of page) yield { key: String(row.number), value: row };
      if (page.length < CHUNK) return;
      before = page.at(-1)?.number ?? before;
    }
  };
}

function shapeOf(columns: readonly Column[]): EntityShape<NumberedRow> {
  const values = columns.map(({ name, type }, place): [string, PropertyShape] => [
    name,
    { type: EDM[type], read: ({ cells }: NumberedRow) => compared(type, cells[place] ?? null) },
  ]);
  return listShape<NumberedRow>('rows', {
    ...NUMBER,
    values: { type: { properties: Object.fromEntries(values) }, read: (row: NumberedRow) => row },
  });
}

/** The value that a filter compares: dates without a zone are UTC. */
function compared(type: ColumnType, cell: Cell): unknown {
  if (cell === null) return null;
  if (type === 'boolean') return Number(cell) !== 0;
  if (type === 'text') return cell;
  return type === 'datetime' ? `${plainText(type, cell)}Z` : Number(plainText(type, cell));
}

function shown(type: ColumnType, cell: Cell): string | number | boolean | null {
  if (cell === null) return null;
  if (type === 'boolean') return Number(cell) !== 0;
  const text = plainText(type, cell);
  if (type === 'text' || type === 'datetime') return text;
  const number = Number(text);
  return String(number) === text || type === 'double' ? number : text;
}
