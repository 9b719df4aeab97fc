import { isoTime } from '../../../../kernel/time/index.ts';
import { type Chain, fullNameOf } from '../../catalog/core/chain.ts';
import { dataIdOf } from '../../catalog/core/securables.ts';
import { managedLocation } from '../../catalog/core/storage.ts';
import { columnsOf } from '../../catalog/tables/column-store.ts';
import { history, stateOf } from '../../catalog/tables/data/files.ts';
import { hasData, isManaged } from '../../catalog/tables/kind.ts';
import { namesOf } from '../../engine/names.ts';
import { accountIn } from '../../jar.ts';
import { problems } from '../sql/problem.ts';
import type { StatementResult } from '../sql/run-statement.ts';
import type { Describe } from '../sql/statement-syntax.ts';
import { type SimpleKind, simple } from '../sql/types.ts';
import { type Acting, shownName } from './find.ts';
import { columnNamed } from './insert.ts';
import { propertiesOf } from './properties.ts';
import { findTableShown } from './show.ts';
import { textResult } from './texts.ts';
import { findShown } from './visible.ts';

/** `DESCRIBE`: columns, history and details of tables, and properties of schemas, catalogs and volumes. */
export async function describe(acting: Acting, statement: Describe): Promise<StatementResult> {
  const { what, name } = statement;
  switch (what) {
    case 'table':
      return describeTable(acting, statement);
    case 'history':
      return describeHistory(acting, await withData(acting, statement));
    case 'detail':
      return describeDetail(acting, await withData(acting, statement));
    case 'schema':
      return textResult(
        ['database_description_item', 'database_description_value'],
        await itemsOf(acting, await findShown(acting, 'schema', name), 'Namespace Name'),
      );
    case 'catalog':
      return textResult(
        ['info_name', 'info_value'],
        await itemsOf(acting, await findShown(acting, 'catalog', name), 'Catalog Name'),
      );
    case 'volume':
      return textResult(
        ['info_name', 'info_value'],
        await itemsOf(acting, await findShown(acting, 'volume', name), 'Volume Name'),
      );
  }
}

async function itemsOf(acting: Acting, chain: Chain, title: string): Promise<readonly (readonly [string, string])[]> {
  const { target, above } = chain;
  const { nameOf } = await namesOf(acting.jar.store, accountIn(acting).id, [target.owner]);
  return [
    ...(above.length > 1 ? ([['Catalog Name', above.at(-2)?.name ?? '']] as const) : []),
    [title, target.name],
    ['Comment', String(target.fields.comment ?? '')],
    ['Owner', nameOf(target.owner)],
  ];
}

const NAMES = ['col_name', 'data_type', 'comment'];

async function describeTable(acting: Acting, { name, extended, column: only }: Describe): Promise<StatementResult> {
  const chain = await findTableShown(acting, name);
  const columns = await columnsOf(acting.jar.store, chain.target);
  if (only !== undefined) {
    const found = columnNamed(columns, only, name.at);
    return textResult(
      ['info_name', 'info_value'],
      [
        ['col_name', found.name],
        ['data_type', found.type_text],
        ['comment', found.comment ?? 'NULL'],
      ],
    );
  }
  const rows = columns.map(({ name: each, type_text, comment = null }) => [each, type_text, comment]);
  const partitions = columns.filter(({ partition_index: index }) => index !== undefined);
  const parted =
    partitions.length === 0
      ? []
      : [
          ['# Partition Information', '', ''],
          ['# col_name', 'data_type', 'comment'],
          ...partitions.map(({ name: each, type_text, comment = null }) => [each, type_text, comment]),
        ];
  return textResult(NAMES, [...rows, ...parted, ...(extended ? await detailRows(acting, chain) : [])]);
}

async function detailRows(acting: Acting, chain: Chain): Promise<readonly (readonly string[])[]> {
  const { target, above } = chain;
  const { fields } = target;
  const { nameOf } = await namesOf(acting.jar.store, accountIn(acting).id, [target.owner, target.createdBy]);
  const properties = Object.entries(propertiesOf(chain)).sort();
  const details: readonly (readonly [string, unknown])[] = [
    ['Catalog', above[1]?.name],
    ['Database', above[0]?.name],
    ['Table', target.name],
    ['Created Time', isoTime(target.createdAt)],
    ['Created By', nameOf(target.createdBy)],
    ['Type', fields.table_type],
    ['Comment', fields.comment],
    ['Location', isManaged(fields) ? managedLocation(chain) : fields.storage_location],
    ['Provider', fields.data_source_format],
    ['Owner', nameOf(target.owner)],
    ['View Text', fields.view_definition],
    [
      'Table Properties',
      properties.length === 0 ? undefined : `[${properties.map((pair) => pair.join('=')).join(',')}]`,
    ],
  ];
  return [
    ['', '', ''],
    ['# Detailed Table Information', '', ''],
    ...details.flatMap(([title, value]) => (typeof value === 'string' ? [[title, value, '']] : [])),
  ];
}

async function withData(acting: Acting, { name, what }: Describe): Promise<Chain> {
  const chain = await findTableShown(acting, name);
  if (!hasData(chain.target.fields)) throw problems.notTable(shownName(chain), `DESCRIBE ${what.toUpperCase()}`);
  return chain;
}

const HISTORY: Readonly<Record<string, SimpleKind>> = {
  version: 'LONG',
  timestamp: 'TIMESTAMP',
  userId: 'STRING',
  userName: 'STRING',
  operation: 'STRING',
  operationParameters: 'STRING',
  numAddedFiles: 'LONG',
  numRemovedFiles: 'LONG',
};

const MOST_VERSIONS = 10_000;

async function describeHistory(acting: Acting, { target }: Chain): Promise<StatementResult> {
  const { store } = acting.jar;
  const versions = [];
  for await (const each of history(store, dataIdOf(target))) {
    versions.push(each);
    if (versions.length >= MOST_VERSIONS) break;
  }
  const { nameOf } = await namesOf(
    store,
    accountIn(acting).id,
    versions.map(({ by }) => by),
  );
  return {
    columns: Object.entries(HISTORY).map(([name, kind]) => ({ name, type: simple(kind) })),
    rows: versions.map(({ version, timestamp, by, operation, parameters, added, removed }) => [
      String(version),
      isoTime(timestamp),
      by,
      nameOf(by),
      operation,
      JSON.stringify(parameters ?? {}),
      String(added),
      String(removed),
    ]),
  };
}

const DETAIL: Readonly<Record<string, SimpleKind>> = {
  format: 'STRING',
  id: 'STRING',
  name: 'STRING',
  description: 'STRING',
  location: 'STRING',
  createdAt: 'TIMESTAMP',
  lastModified: 'TIMESTAMP',
  partitionColumns: 'STRING',
  numFiles: 'LONG',
  sizeInBytes: 'LONG',
  properties: 'STRING',
};

async function describeDetail(acting: Acting, chain: Chain): Promise<StatementResult> {
  const { target } = chain;
  const { fields } = target;
  const state = await stateOf(acting.jar.store, dataIdOf(target));
  const columns = await columnsOf(acting.jar.store, target);
  const partitions = columns.flatMap(({ name, partition_index: index }) => (index === undefined ? [] : [name]));
  const location = isManaged(fields) ? managedLocation(chain) : fields.storage_location;
  return {
    columns: Object.entries(DETAIL).map(([name, kind]) => ({ name, type: simple(kind) })),
    rows: [
      [
        String(fields.data_source_format ?? 'DELTA').toLowerCase(),
        target.id,
        fullNameOf(chain),
        typeof fields.comment === 'string' ? fields.comment : null,
        String(location ?? ''),
        isoTime(target.createdAt),
        isoTime(state?.timestamp ?? target.updatedAt),
        JSON.stringify(partitions),
        String(state?.files ?? 0),
        String(state?.bytes ?? 0),
        JSON.stringify(propertiesOf(chain)),
      ],
    ],
  };
}
