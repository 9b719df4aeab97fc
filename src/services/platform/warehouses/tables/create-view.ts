import type { Tx } from '../../../../kernel/store/index.ts';
import type { Chain } from '../../catalog/core/chain.ts';
import { metastoreIn } from '../../catalog/core/metastore.ts';
import { securableKey, securables } from '../../catalog/core/securables.ts';
import type { Column } from '../../catalog/tables/columns.ts';
import { changeTable, createTable, type TableDraft } from '../../catalog/tables/create.ts';
import { Meter } from '../sql/meter.ts';
import { problems } from '../sql/problem.ts';
import { QueryRun } from '../sql/run-query.ts';
import { type Halt, inTurns } from '../sql/run-statement.ts';
import type { CreateView } from '../sql/statement-syntax.ts';
import type { Query } from '../sql/syntax.ts';
import { containerIn, unlessThere } from './define.ts';
import { type Acting, fullParts, quotedName } from './find.ts';
import { CatalogRelations, VIEW_PLACE } from './relations.ts';
import { columnOf } from './types.ts';
import { type Effect, NO_RESULT } from './write.ts';

/** `CREATE VIEW`: the text of a query, which runs with the permissions of the owner whenever the view is read. */
export async function createView(acting: Acting, statement: CreateView, halt: Halt): Promise<Effect> {
  const parts = fullParts(statement.name, acting.session, 3);
  const metastore = await metastoreIn(acting);
  const { columns, names } = await describedQuery(acting, statement, halt);
  const { comment, properties, text } = statement;
  const draft: TableDraft = {
    name: parts[2] as string,
    type: 'VIEW',
    columns,
    viewDefinition: text,
    viewDependencies: { dependencies: names.map((name) => ({ table: { table_full_name: name } })) },
    properties: { ...properties, ...placeProperties(acting) },
    ...(comment !== undefined && { comment }),
  };
  return {
    result: NO_RESULT,
    apply: async (tx) => {
      const above = await containerIn(tx, metastore, parts.slice(0, 2));
      if (statement.replace && (await replacedView(tx, acting, above, draft))) return;
      await unlessThere(statement.ifNotExists, () => createTable(tx, acting, above, draft));
    },
  };
}

/** Properties with the catalog and schema in which the names of the query are resolved. */
export const placeProperties = ({ session: { catalog, schema } }: Acting): Readonly<Record<string, string>> => ({
  'view.catalogAndNamespace.numParts': '2',
  [`${VIEW_PLACE}0`]: catalog,
  [`${VIEW_PLACE}1`]: schema,
});

async function replacedView(tx: Tx, acting: Acting, above: Chain, draft: TableDraft): Promise<boolean> {
  const found = (await tx.get(securables, securableKey(above.target.id, 'table', draft.name), 'update'))?.value;
  if (!found) return false;
  if (found.fields.table_type !== 'VIEW') throw problems.notView(quotedName([draft.name]), 'CREATE OR REPLACE VIEW');
  await changeTable(
    tx,
    acting,
    { target: found, above: [above.target, ...above.above] },
    {
      operation: 'CREATE OR REPLACE VIEW',
      columns: draft.columns,
      comment: draft.comment ?? null,
      properties: draft.properties ?? {},
      viewDefinition: draft.viewDefinition ?? '',
    },
  );
  return true;
}

interface Described {
  readonly columns: readonly Column[];
  /** Full names of the relations that it reads. */
  readonly names: readonly string[];
}

/** The columns of a query, determined by running it over empty tables. The user must be allowed to read them. */
export async function describedQuery(
  acting: Acting,
  { query, columns: said, name }: { readonly query: Query } & Pick<CreateView, 'columns' | 'name'>,
  halt: Halt,
): Promise<Described> {
  const meter = new Meter();
  const session = { ...acting.session, parameters: new Map() };
  const relations = new CatalogRelations(acting, session, { empty: true });
  const table = await inTurns(new QueryRun({ ...session, relations }, meter).run(query), meter, halt);
  if (said.length > 0 && said.length !== table.columns.length)
    throw problems.viewArity(quotedName(name.parts), said.length, table.columns.length);
  const seen = new Set<string>();
  const columns = table.columns.map(({ name: own, type }, index) => {
    const { name: given = own, comment } = said[index] ?? {};
    if (seen.has(given.toLowerCase())) throw problems.sameColumn(given);
    seen.add(given.toLowerCase());
    return columnOf({ name: given, type, nullable: true, ...(comment !== undefined && { comment }) }, index);
  });
  return { columns, names: relations.names };
}
