import type { Tx } from '../../../../kernel/store/index.ts';
import { requirePrivilege } from '../../catalog/core/access.ts';
import { type Chain, findChain } from '../../catalog/core/chain.ts';
import { metastoreIn } from '../../catalog/core/metastore.ts';
import { type Securable, securableKey, securables } from '../../catalog/core/securables.ts';
import { checkAddress, requireLocation, trimSlashes } from '../../catalog/core/storage.ts';
import { columnsOf } from '../../catalog/tables/column-store.ts';
import type { Column } from '../../catalog/tables/columns.ts';
import { addConstraint } from '../../catalog/tables/constraints.ts';
import { changeTable, createTable as makeTable, type TableDraft } from '../../catalog/tables/create.ts';
import type { NewFile } from '../../catalog/tables/data/log.ts';
import { discardFiles } from '../../catalog/tables/data/rows.ts';
import { findFiles } from '../../catalog/tables/data/volume-files.ts';
import { isVolumePath } from '../../catalog/volumes/places.ts';
import type { Row } from '../sql/bound.ts';
import { Meter, type Steps } from '../sql/meter.ts';
import { problems } from '../sql/problem.ts';
import { QueryRun } from '../sql/run-query.ts';
import { type Halt, inTurns } from '../sql/run-statement.ts';
import type { ColumnDefinition, CreateTable } from '../sql/statement-syntax.ts';
import type { Query } from '../sql/syntax.ts';
import type { Table } from '../sql/table.ts';
import { CHECK_PROPERTY, defaultFor, RowRules } from './assign.ts';
import { containerIn, unlessThere } from './define.ts';
import { type Acting, findTable, fullParts, quotedName } from './find.ts';
import { columnOf } from './types.ts';
import { countsResult, type Effect, NO_RESULT, stageFor } from './write.ts';

/** `CREATE TABLE`, including tables from a query, like another table, and over files of a volume. */

const MOST_NAME = 255;
const BAD_NAME = /[ ,;{}()\n\t=]/;

export async function createTable(acting: Acting, statement: CreateTable, halt: Halt): Promise<Effect> {
  const parts = fullParts(statement.name, acting.session, 3);
  const metastore = await metastoreIn(acting);
  // Checked before the query runs or the volume is read.
  const schema = await findChain(acting.jar.store, metastore, 'schema', parts.slice(0, 2).join('.'));
  requirePrivilege(acting, schema, 'CREATE_TABLE');
  if (
    statement.ifNotExists &&
    (await acting.jar.store.get(securables, securableKey(schema.target.id, 'table', parts[2] ?? '')))
  )
    return { result: NO_RESULT };
  const drafted = await draftOf(acting, statement, metastore, halt);
  const { columns, files = [] } = drafted;
  const draft: TableDraft = { ...drafted.draft, name: parts[2] as string, columns, files };
  return {
    result:
      drafted.rows === undefined
        ? NO_RESULT
        : countsResult({ num_affected_rows: drafted.rows, num_inserted_rows: drafted.rows }),
    apply: async (tx) => {
      const above = await containerIn(tx, metastore, parts.slice(0, 2));
      if (draft.location !== undefined && !isVolumePath(draft.location))
        await requireLocation(tx, acting, metastore, draft.location, 'CREATE_EXTERNAL_TABLE');
      if (statement.replace && (await replacedTable(tx, acting, above, draft, statement))) return;
      await unlessThere(statement.ifNotExists, async () =>
        withKey(tx, acting, statement, await makeTable(tx, acting, above, draft)),
      );
    },
    discard: () => discardFiles(acting.jar, files),
  };
}

/** `OR REPLACE`: an existing table keeps its id, its grants and its history. */
async function replacedTable(
  tx: Tx,
  acting: Acting,
  above: Chain,
  draft: TableDraft,
  { name }: CreateTable,
): Promise<boolean> {
  const found = (await tx.get(securables, securableKey(above.target.id, 'table', draft.name), 'update'))?.value;
  if (!found) return false;
  const chain: Chain = { target: found, above: [above.target, ...above.above] };
  if (found.fields.table_type !== draft.type)
    throw problems.notTable(quotedName(name.parts), 'CREATE OR REPLACE TABLE');
  requirePrivilege(acting, above, 'CREATE_TABLE');
  await changeTable(tx, acting, chain, {
    operation: 'CREATE OR REPLACE TABLE',
    columns: draft.columns,
    comment: draft.comment ?? null,
    properties: draft.properties ?? {},
    files: draft.files ?? [],
  });
  return true;
}

async function withKey(tx: Tx, acting: Acting, { primaryKey, name }: CreateTable, made: Chain): Promise<void> {
  if (!primaryKey) return;
  const key = primaryKey.name ?? `${(name.parts.at(-1) ?? '').toLowerCase()}_pk`;
  await addConstraint(tx, acting, made, { kind: 'primary', name: key, columns: primaryKey.columns });
}

interface Drafted {
  readonly draft: Omit<TableDraft, 'name' | 'columns' | 'files'>;
  readonly columns: readonly Column[];
  readonly files?: readonly NewFile[];
  /** Number of rows of the query. */
  readonly rows?: number;
}

async function draftOf(acting: Acting, statement: CreateTable, metastore: Securable, halt: Halt): Promise<Drafted> {
  const { comment, location, format, query } = statement;
  const checks = Object.entries(statement.checks).map(([name, text]) => [
    `${CHECK_PROPERTY}${name.toLowerCase()}`,
    text,
  ]);
  const properties = { ...statement.properties, ...Object.fromEntries(checks) };
  const isInVolume = location !== undefined && isVolumePath(location);
  const draft: Drafted['draft'] = {
    type: location === undefined ? 'MANAGED' : 'EXTERNAL',
    format: checkedFormat(format, isInVolume),
    ...(location !== undefined && {
      location: isInVolume ? trimSlashes(location) : checkAddress('LOCATION', location),
    }),
    ...(comment !== undefined && { comment }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
  if (query) return { draft, ...(await queried(acting, statement, query, halt)) };
  if (isInVolume) {
    const found = await findFiles(acting, metastore, location);
    const said = columnsFor(statement, statement.columns);
    return { draft, columns: said.length > 0 ? said : found.columns, files: found.files };
  }
  const columns = statement.like ? await likeColumns(acting, statement.like) : columnsFor(statement, statement.columns);
  checkRules(acting, columns, statement);
  return { draft, columns };
}

/** Tables are Delta tables, or Parquet files in a volume. */
function checkedFormat(format: string | undefined, isInVolume: boolean): string {
  if (format === undefined || format === 'DELTA') return isInVolume && format === undefined ? 'PARQUET' : 'DELTA';
  if (format === 'PARQUET' && isInVolume) return format;
  throw problems.unsupported(`tables in the format ${format.slice(0, 50)} are not available; DELTA is`);
}

async function likeColumns(acting: Acting, name: NonNullable<CreateTable['like']>): Promise<readonly Column[]> {
  const { target } = await findTable(acting, name, 'SELECT');
  return (await columnsOf(acting.jar.store, target)).map(({ mask: _mask, ...column }) => column);
}

function columnsFor({ partitions, query }: CreateTable, definitions: readonly ColumnDefinition[]): readonly Column[] {
  const seen = new Set<string>();
  for (const { name, type } of definitions) {
    if (BAD_NAME.test(name) || name.length > MOST_NAME) throw problems.badColumnName(name);
    if (seen.has(name.toLowerCase())) throw problems.sameColumn(name);
    seen.add(name.toLowerCase());
    if (type.kind === 'INTERVAL') throw problems.unsupported(`the column ${name} would have the type of an interval`);
  }
  const places = new Map(partitions.map((name, index) => [name.toLowerCase(), index]));
  for (const name of partitions)
    if (!seen.has(name.toLowerCase()) && (query || definitions.length > 0))
      throw problems.noColumn(
        `\`${name}\``,
        { line: 1, column: 0 },
        definitions.slice(0, 5).map((each) => `\`${each.name}\``),
      );
  return definitions.map((definition, index) => columnOf(definition, index, places.get(definition.name.toLowerCase())));
}

/** Defaults and constraints are validated before the table is created. */
function checkRules(acting: Acting, columns: readonly Column[], { checks, name }: CreateTable): void {
  const meter = new Meter();
  for (const column of columns) defaultFor(column, acting.session, meter, quotedName(name.parts));
  const list = Object.entries(checks).map(([each, text]) => ({ name: each, text }));
  new RowRules(columns, list, acting.session, meter);
}

/** `AS SELECT`: takes the columns and rows of the query. */
async function queried(
  acting: Acting,
  statement: CreateTable,
  query: Query,
  halt: Halt,
): Promise<Omit<Drafted, 'draft'>> {
  if (statement.columns.length > 0)
    throw problems.unsupported('a table created from a query takes its columns from the query');
  const meter = new Meter();
  const table: Table = await inTurns(new QueryRun(acting.session, meter).run(query), meter, halt);
  const columns = columnsFor(
    statement,
    table.columns.map(({ name, type }) => ({ name, type, nullable: true })),
  );
  const list = Object.entries(statement.checks).map(([name, text]) => ({ name, text }));
  const rules = new RowRules(columns, list, acting.session, meter);
  await inTurns(checked(table.rows, rules, meter), meter, halt);
  return { columns, files: await stageFor(acting, columns, table.rows), rows: table.rows.length };
}

export function* checked(rows: readonly Row[], rules: RowRules, meter: Meter): Steps<void> {
  for (const row of rows) {
    meter.spend(1);
    if (meter.isTurnOver) yield;
    rules.check(row);
  }
}
