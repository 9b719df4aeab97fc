import { type Chain, fullNameOf } from '../../catalog/core/chain.ts';
import { columnsOf } from '../../catalog/tables/column-store.ts';
import type { Column } from '../../catalog/tables/columns.ts';
import { matches, piecesOf } from '../sql/like.ts';
import { problems } from '../sql/problem.ts';
import type { StatementResult } from '../sql/run-statement.ts';
import type { ObjectName, Show } from '../sql/statement-syntax.ts';
import { simple } from '../sql/types.ts';
import { type Acting, quotedName } from './find.ts';
import { showGrants } from './grants.ts';
import { propertiesOf } from './properties.ts';
import { isCode } from './refusals.ts';
import { textResult } from './texts.ts';
import { defaultOf } from './types.ts';
import { findShown, topOf, visibleBelow } from './visible.ts';

/** `SHOW`: the objects of the catalog that the user may see. */
export async function show(acting: Acting, statement: Show): Promise<StatementResult> {
  const { of } = statement;
  switch (statement.what) {
    case 'catalogs':
      return textResult(['catalog'], await namesIn(acting, await topOf(acting), 'catalog', statement));
    case 'schemas': {
      const catalog = await findShown(acting, 'catalog', of ?? here(acting.session.catalog));
      return textResult(['databaseName'], await namesIn(acting, catalog, 'schema', statement));
    }
    case 'tables':
    case 'views':
    case 'volumes':
      return listed(acting, statement);
    case 'columns': {
      const columns = await columnsOf(acting.jar.store, (await findTableShown(acting, named(of))).target);
      return textResult(
        ['col_name'],
        columns.map(({ name }) => [name]),
      );
    }
    case 'properties': {
      const properties = propertiesOf(await findTableShown(acting, named(of)));
      return textResult(['key', 'value'], Object.entries(properties).sort());
    }
    case 'createTable': {
      const chain = await findTableShown(acting, named(of));
      return textResult(['createtab_stmt'], [[createText(chain, await columnsOf(acting.jar.store, chain.target))]]);
    }
    case 'grants':
      return showGrants(acting, statement);
  }
}

const START = { line: 1, column: 0 };
const here = (...parts: readonly string[]): ObjectName => ({ parts, at: START });

function named(of: ObjectName | undefined): ObjectName {
  if (!of) throw new Error('the parser reads a name for it');
  return of;
}

/** A table or view that the user may see; throws a SQL error if it does not exist. */
export async function findTableShown(acting: Acting, name: ObjectName): Promise<Chain> {
  try {
    return await findShown(acting, 'table', name);
  } catch (error) {
    throw isCode(error, '_DOES_NOT_EXIST') ? problems.noTable(quotedName(name.parts), name.at) : error;
  }
}

/** Patterns of `SHOW`: `*` matches any text and `|` separates alternatives; patterns of `LIKE` are accepted too. */
function isLike(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  const budget = { spend: () => undefined };
  const either = pattern
    .slice(0, 1000)
    .toLowerCase()
    .split('|')
    .map((each) => piecesOf(each.replaceAll('*', '%'), budget));
  return (name) => either.some((pieces) => matches(name.toLowerCase(), pieces, budget));
}

async function chainsIn(
  acting: Acting,
  above: Chain,
  type: 'catalog' | 'schema' | 'table' | 'volume',
  { like }: Show,
): Promise<readonly Chain[]> {
  const isMeant = isLike(like);
  const found: Chain[] = [];
  for await (const page of visibleBelow(acting, above, type))
    found.push(...page.filter(({ target }) => isMeant(target.name)));
  return found;
}

const namesIn = async (acting: Acting, above: Chain, type: 'catalog' | 'schema', statement: Show) =>
  (await chainsIn(acting, above, type, statement)).map(({ target }) => [target.name]);

async function listed(acting: Acting, statement: Show): Promise<StatementResult> {
  const { catalog, schema } = acting.session;
  const above = await findShown(acting, 'schema', statement.of ?? here(catalog, schema));
  const database = above.target.name;
  if (statement.what === 'volumes') {
    const volumes = await chainsIn(acting, above, 'volume', statement);
    return textResult(
      ['database', 'volume_name'],
      volumes.map(({ target }) => [database, target.name]),
    );
  }
  const isViews = statement.what === 'views';
  const tables = (await chainsIn(acting, above, 'table', statement)).filter(
    ({ target }) => !isViews || target.fields.table_type === 'VIEW',
  );
  const { columns, rows } = textResult(
    isViews ? ['namespace', 'viewName'] : ['database', 'tableName'],
    tables.map(({ target }) => [database, target.name, 'false']),
  );
  return { columns: [...columns, { name: 'isTemporary', type: simple('BOOLEAN') }], rows };
}

const quotedText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The statement that creates the table. */
function createText(chain: Chain, columns: readonly Column[]): string {
  const { fields } = chain.target;
  const name = fullNameOf(chain);
  if (fields.table_type === 'VIEW') {
    const names = columns.map((column) => `  ${quotedName([column.name])}`).join(',\n');
    return `CREATE VIEW ${name} (\n${names})\nAS ${String(fields.view_definition)}\n`;
  }
  const partitions = columns
    .filter(({ partition_index: index }) => index !== undefined)
    .sort((one, other) => (one.partition_index ?? 0) - (other.partition_index ?? 0));
  const properties = Object.entries(propertiesOf(chain)).sort();
  return [
    `CREATE TABLE ${name} (\n${columns.map(columnText).join(',\n')})`,
    `USING ${String(fields.data_source_format ?? 'DELTA').toLowerCase()}`,
    ...(partitions.length > 0
      ? [`PARTITIONED BY (${partitions.map((column) => quotedName([column.name])).join(', ')})`]
      : []),
    ...(typeof fields.comment === 'string' ? [`COMMENT ${quotedText(fields.comment)}`] : []),
    ...(typeof fields.storage_location === 'string' ? [`LOCATION ${quotedText(fields.storage_location)}`] : []),
    ...(properties.length > 0
      ? [
          `TBLPROPERTIES (\n${properties.map(([key, value]) => `  ${quotedText(key)} = ${quotedText(value)}`).join(',\n')})`,
        ]
      : []),
    '',
  ].join('\n');
}

function columnText(column: Column): string {
  const text = defaultOf(column);
  return [
    `  ${quotedName([column.name])} ${column.type_text.toUpperCase()}`,
    ...(column.nullable ? [] : ['NOT NULL']),
    ...(text === undefined ? [] : [`DEFAULT ${text}`]),
    ...(column.comment === undefined || column.comment === '' ? [] : [`COMMENT ${quotedText(column.comment)}`]),
  ].join(' ');
}
