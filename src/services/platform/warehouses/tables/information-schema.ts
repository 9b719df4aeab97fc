import { requirePrivilege, requireReachable } from '../../catalog/core/access.ts';
import { type Chain, findChain, fullNameOf } from '../../catalog/core/chain.ts';
import { SYSTEM_CATALOG } from '../../catalog/core/found-metastore.ts';
import { metastoreIn } from '../../catalog/core/metastore.ts';
import { managedLocation } from '../../catalog/core/storage.ts';
import { columnsOf } from '../../catalog/tables/column-store.ts';
import { isManaged } from '../../catalog/tables/kind.ts';
import { namesOf } from '../../engine/names.ts';
import { accountIn } from '../../jar.ts';
import type { Row } from '../sql/bound.ts';
import { problems } from '../sql/problem.ts';
import type { StoredRelation } from '../sql/relations.ts';
import type { ObjectName } from '../sql/statement-syntax.ts';
import { type SimpleKind, type SqlValue, simple } from '../sql/types.ts';
import { type Acting, quotedName } from './find.ts';
import { defaultOf } from './types.ts';
import { topOf, visibleBelow } from './visible.ts';

/** `information_schema` of each catalog, and of all of them in the catalog `system`: contains the objects that the user may see. */

type Values = Readonly<Record<string, SqlValue>>;
type Columns = Readonly<Record<string, SimpleKind>>;

interface InformationTable {
  readonly columns: Columns;
  rows(acting: Acting, catalogs: () => AsyncIterable<Chain>): AsyncIterable<readonly Values[]>;
}

const text = (value: unknown): SqlValue => (typeof value === 'string' ? value : null);

const PEOPLE: Columns = {
  comment: 'STRING',
  created: 'TIMESTAMP',
  created_by: 'STRING',
  last_altered: 'TIMESTAMP',
  last_altered_by: 'STRING',
};

/** The columns for creation and last change of a securable. */
async function peopleOf(acting: Acting, { target }: Chain): Promise<Values> {
  const { createdBy, updatedBy, owner } = target;
  const { nameOf } = await namesOf(acting.jar.store, accountIn(acting).id, [createdBy, updatedBy, owner]);
  return {
    owner: nameOf(owner),
    comment: text(target.fields.comment),
    created: target.createdAt,
    created_by: nameOf(createdBy),
    last_altered: target.updatedAt,
    last_altered_by: nameOf(updatedBy),
  };
}

async function* schemasOf(acting: Acting, catalogs: AsyncIterable<Chain>): AsyncGenerator<Chain> {
  for await (const catalog of catalogs) for await (const page of visibleBelow(acting, catalog, 'schema')) yield* page;
}

async function* tablesOf(acting: Acting, catalogs: AsyncIterable<Chain>): AsyncGenerator<Chain> {
  for await (const schema of schemasOf(acting, catalogs))
    for await (const page of visibleBelow(acting, schema, 'table')) yield* page;
}

function namesOfTable(chain: Chain): Values {
  const [table_catalog = '', table_schema = '', table_name = ''] = fullNameOf(chain).split('.');
  return { table_catalog, table_schema, table_name };
}

const NAMES: Columns = { table_catalog: 'STRING', table_schema: 'STRING', table_name: 'STRING' };

const TABLES: Readonly<Record<string, InformationTable>> = {
  catalogs: {
    columns: { catalog_name: 'STRING', catalog_owner: 'STRING', ...PEOPLE },
    async *rows(acting, catalogs) {
      for await (const chain of catalogs()) {
        const people = await peopleOf(acting, chain);
        yield [{ catalog_name: chain.target.name, catalog_owner: people.owner ?? null, ...people }];
      }
    },
  },
  schemata: {
    columns: { catalog_name: 'STRING', schema_name: 'STRING', schema_owner: 'STRING', ...PEOPLE },
    async *rows(acting, catalogs) {
      for await (const chain of schemasOf(acting, catalogs())) {
        const [catalog_name = '', schema_name = ''] = fullNameOf(chain).split('.');
        const people = await peopleOf(acting, chain);
        yield [{ catalog_name, schema_name, schema_owner: people.owner ?? null, ...people }];
      }
    },
  },
  tables: {
    columns: {
      ...NAMES,
      table_type: 'STRING',
      is_insertable_into: 'STRING',
      table_owner: 'STRING',
      ...PEOPLE,
      data_source_format: 'STRING',
      storage_path: 'STRING',
    },
    async *rows(acting, catalogs) {
      for await (const chain of tablesOf(acting, catalogs())) {
        const { fields } = chain.target;
        const people = await peopleOf(acting, chain);
        yield [
          {
            ...namesOfTable(chain),
            table_type: text(fields.table_type),
            is_insertable_into: fields.table_type === 'VIEW' ? 'NO' : 'YES',
            table_owner: people.owner ?? null,
            ...people,
            data_source_format: text(fields.data_source_format),
            storage_path: isManaged(fields) ? managedLocation(chain) : text(fields.storage_location),
          },
        ];
      }
    },
  },
  columns: {
    columns: {
      ...NAMES,
      column_name: 'STRING',
      ordinal_position: 'INT',
      column_default: 'STRING',
      is_nullable: 'STRING',
      full_data_type: 'STRING',
      data_type: 'STRING',
      numeric_precision: 'INT',
      numeric_scale: 'INT',
      partition_index: 'INT',
      comment: 'STRING',
    },
    async *rows(acting, catalogs) {
      for await (const chain of tablesOf(acting, catalogs())) {
        const columns = await columnsOf(acting.jar.store, chain.target);
        yield columns.map((column) => ({
          ...namesOfTable(chain),
          column_name: column.name,
          ordinal_position: BigInt(column.position),
          column_default: defaultOf(column) ?? null,
          is_nullable: column.nullable ? 'YES' : 'NO',
          full_data_type: column.type_text,
          data_type: column.type_name,
          numeric_precision: column.type_name === 'DECIMAL' ? BigInt(column.type_precision) : null,
          numeric_scale: column.type_name === 'DECIMAL' ? BigInt(column.type_scale) : null,
          partition_index: column.partition_index === undefined ? null : BigInt(column.partition_index),
          comment: column.comment ?? null,
        }));
      }
    },
  },
  views: {
    columns: {
      ...NAMES,
      view_definition: 'STRING',
      check_option: 'STRING',
      is_updatable: 'STRING',
      is_insertable_into: 'STRING',
    },
    async *rows(acting, catalogs) {
      for await (const chain of tablesOf(acting, catalogs()))
        if (chain.target.fields.table_type === 'VIEW')
          yield [
            {
              ...namesOfTable(chain),
              view_definition: text(chain.target.fields.view_definition),
              check_option: 'NONE',
              is_updatable: 'NO',
              is_insertable_into: 'NO',
            },
          ];
    },
  },
  volumes: {
    columns: {
      volume_catalog: 'STRING',
      volume_schema: 'STRING',
      volume_name: 'STRING',
      volume_type: 'STRING',
      volume_owner: 'STRING',
      ...PEOPLE,
    },
    async *rows(acting, catalogs) {
      for await (const schema of schemasOf(acting, catalogs()))
        for await (const page of visibleBelow(acting, schema, 'volume'))
          for (const chain of page) {
            const [volume_catalog = '', volume_schema = '', volume_name = ''] = fullNameOf(chain).split('.');
            const people = await peopleOf(acting, chain);
            const volume_type = text(chain.target.fields.volume_type);
            yield [
              {
                volume_catalog,
                volume_schema,
                volume_name,
                volume_type,
                volume_owner: people.owner ?? null,
                ...people,
              },
            ];
          }
    },
  },
};

/** One of these tables, by its full name. */
export async function informationTable(
  acting: Acting,
  name: ObjectName,
  parts: readonly string[],
): Promise<StoredRelation> {
  const [catalog = '', schema = '', table = ''] = parts;
  const found = Object.hasOwn(TABLES, table.toLowerCase()) ? TABLES[table.toLowerCase()] : undefined;
  if (!found) throw problems.noTable(quotedName(name.parts), name.at);
  const isEverywhere = catalog.toLowerCase() === SYSTEM_CATALOG;
  const chain = await findChain(acting.jar.store, await metastoreIn(acting), 'catalog', catalog);
  requireReachable(acting, chain);
  if (!isEverywhere) requirePrivilege(acting, chain, 'USE_CATALOG');
  const catalogs = isEverywhere ? () => everyCatalog(acting) : () => only(chain);
  const columns = Object.entries(found.columns);
  return {
    is: 'table',
    path: [catalog, schema, table],
    columns: columns.map(([each, kind]) => ({ name: each, type: simple(kind) })),
    async *read() {
      for await (const values of found.rows(acting, catalogs))
        yield values.map((row): Row => columns.map(([each]) => row[each] ?? null));
    },
  };
}

async function* only(chain: Chain): AsyncGenerator<Chain> {
  yield chain;
}

async function* everyCatalog(acting: Acting): AsyncGenerator<Chain> {
  for await (const page of visibleBelow(acting, await topOf(acting), 'catalog')) yield* page;
}
