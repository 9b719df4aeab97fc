import { WORK_STATE } from '../migrations.ts';
import { changeRecords, workItems } from '../views.ts';
import { type Dialect, POSTGRES_SCHEMA, quote, SQLITE } from './dialect.ts';

/** Defines a view of `store/views.ts` over one of the kernel's tables. */
interface View {
  readonly table: string;
  readonly key: string;
  readonly etag: string;
  /** SQL of each field. A required column can be ordered by without NULLS FIRST, and therefore by an index. */
  readonly columns: Readonly<Record<string, ViewColumn>>;
  /** SQL of members that are not fields. */
  readonly rest: Readonly<Record<string, string>>;
}

interface ViewColumn {
  readonly sql: string;
  readonly required: boolean;
  /** For a text that the table stores as a number: the column, which may be indexed, and the number of each text. */
  readonly coded?: { readonly sql: string; readonly codes: Readonly<Record<string, number>> };
}

type ViewOf = (dialect: Dialect) => View;

const needed = (sql: string) => ({ sql, required: true });
const optional = (sql: string) => ({ sql, required: false });

const workView: ViewOf = (dialect) => {
  const states = Object.entries(WORK_STATE).map(([name, number]) => `WHEN ${number} THEN '${name}'`);
  return {
    table: 'work',
    key: 'id',
    etag: `${digits(dialect, 'seq')} || '.' || attempts || '.' || state`,
    columns: {
      kind: needed('kind'),
      dueAt: needed('due_at'),
      state: {
        ...needed(dialect.byBytes(`CASE state ${states.join(' ')} END`)),
        coded: { sql: 'state', codes: WORK_STATE },
      },
      attempts: needed('attempts'),
      reason: optional(dialect.byBytes('reason')),
    },
    rest: { id: 'id', payload: 'payload' },
  };
};

const changeView: ViewOf = (dialect) => ({
  table: 'changes',
  key: dialect.byBytes(digits(dialect, 'seq')),
  etag: digits(dialect, 'seq'),
  columns: {
    number: needed('seq'),
    source: needed(dialect.byBytes('source')),
    kind: needed(dialect.byBytes('kind')),
    subject: needed(dialect.byBytes('subject')),
    outcome: needed(dialect.byBytes('outcome')),
    at: needed('at'),
  },
  rest: { data: 'data' },
});

const VIEWS: ReadonlyMap<string, ViewOf> = new Map([
  [workItems.name, workView],
  [changeRecords.name, changeView],
]);

/** Formatted as in a cursor. */
const digits = (dialect: Dialect, number: string): string =>
  dialect === SQLITE ? `printf('%019d', ${number})` : `lpad(${number}::text, 19, '0')`;

export interface ViewLayout {
  /** The source in FROM. */
  readonly table: string;
  readonly required: ReadonlySet<string>;
  readonly coded: ReadonlyMap<string, Coded>;
}

/** A column that stores texts as numbers: filters on the text compare the numbers instead. */
export interface Coded {
  readonly name: string;
  readonly codes: ReadonlyMap<unknown, number>;
}

export const isView = (collection: string): boolean => VIEWS.has(collection);

/** A view as a table in FROM, with the columns of a collection's table; undefined if the collection is not a view. */
export function viewLayout(collection: string, dialect: Dialect): ViewLayout | undefined {
  const view = VIEWS.get(collection)?.(dialect);
  if (!view) return undefined;
  const { columns, rest, key, etag } = view;
  const fields = Object.entries(columns);
  const members = [...fields.map(([name, { sql }]) => [name, sql] as const), ...Object.entries(rest)];
  const object = members.map(([name, sql]) => `'${name}', ${sql}`).join(', ');
  const [body, table] =
    dialect === SQLITE
      ? [`json_object(${object})`, view.table]
      : [`json_build_object(${object})::text`, `${POSTGRES_SCHEMA}.${view.table}`];
  const coded = fields.flatMap(([name, column]) => (column.coded ? [{ name, ...column.coded }] : []));
  const selected = [
    ...fields.map(([name, { sql }]) => `${sql} AS ${quote(`f.${name}`)}`),
    ...coded.map(({ name, sql }) => `${sql} AS ${codeColumn(name)}`),
  ].join(', ');
  return {
    table: `(SELECT ${key} AS key, ${etag} AS etag, ${body} AS body, ${selected} FROM ${table}) AS ${view.table}_view`,
    required: new Set(fields.filter(([, { required }]) => required).map(([name]) => name)),
    coded: new Map(
      coded.map(({ name, codes }) => [name, { name: codeColumn(name), codes: new Map(Object.entries(codes)) }]),
    ),
  };
}

const codeColumn = (field: string): string => quote(`n.${field}`);
