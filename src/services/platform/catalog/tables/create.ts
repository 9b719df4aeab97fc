import type { Tx } from '../../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import { type Actor, callerIdentity } from '../../jar.ts';
import { requireManager } from '../core/access.ts';
import { type Chain, fullNameOf } from '../core/chain.ts';
import { createBelow, record, refuseSystem } from '../core/operations.ts';
import { keyOf, type Securable, securables } from '../core/securables.ts';
import { checkColumnCount, columnsOf, putColumns, schemaOf } from './column-store.ts';
import { type Column, orderColumns } from './columns.ts';
import { beginLog, type NewFile, replaceFiles } from './data/log.ts';
import { requireFunctions } from './functions-used.ts';
import { hasData, TABLES, type TableType } from './kind.ts';
import { checkProperties } from './properties.ts';

export interface RowFilter {
  readonly function_name: string;
  readonly input_column_names: readonly string[];
}

/** A table or view to create. */
export interface TableDraft {
  readonly name: string;
  readonly type: TableType;
  /** Default: `DELTA`, except for views. */
  readonly format?: string;
  /** For external tables. */
  readonly location?: string;
  /** In order, as returned by `completeColumn`. */
  readonly columns: readonly Column[];
  readonly comment?: string;
  readonly properties?: Readonly<Record<string, string>>;
  readonly viewDefinition?: string;
  readonly viewDependencies?: JsonMembers;
  readonly sqlPath?: string;
  readonly pipelineId?: string;
  readonly rowFilter?: RowFilter;
  /** Initial files, added as version 1. */
  readonly files?: readonly NewFile[];
}

/** Creates a table or view of any type in a schema, in the caller's transaction. The caller needs the privilege to create one there. */
export async function createTable(tx: Tx, call: Actor, schema: Chain, draft: TableDraft): Promise<Chain> {
  const columns = orderColumns(draft.columns);
  const isView = draft.type === 'VIEW' || draft.type === 'METRIC_VIEW';
  checkColumnCount(
    call.jar,
    schema.target.metastore,
    `${fullNameOf(schema)}.${draft.name.slice(0, 255)}`,
    columns.length,
  );
  if (draft.rowFilter) checkInputs(columns, draft.rowFilter);
  const sent = omitAbsent({
    table_type: draft.type,
    data_source_format: draft.format ?? (isView ? undefined : 'DELTA'),
    storage_location: draft.location,
    comment: draft.comment,
    properties: draft.properties,
    view_definition: draft.viewDefinition,
    view_dependencies: draft.viewDependencies,
    sql_path: draft.sqlPath,
    pipeline_id: draft.pipelineId,
    row_filter: draft.rowFilter,
  });
  const extra = { schema: 0, columns: columns.length };
  const chain = await createBelow(tx, call, TABLES, schema, { name: draft.name, sent, extra });
  await requireFunctions(tx, call, schema, functionsIn(columns, draft.rowFilter));
  await putColumns(tx, chain.target.id, 0, columns);
  if (!hasData(chain.target.fields)) return chain;
  const by = callerIdentity(call).principal.id;
  await beginLog(tx, call.jar, chain.target, by);
  if (draft.files && draft.files.length > 0)
    await replaceFiles(tx, call.jar, chain.target, { operation: 'WRITE', by, add: draft.files });
  return chain;
}

const functionsIn = (columns: readonly Column[], filter: RowFilter | undefined): readonly string[] => [
  ...columns.flatMap(({ mask }) => (mask ? [mask.function_name] : [])),
  ...(filter ? [filter.function_name] : []),
];

function checkInputs(columns: readonly Column[], { input_column_names: names }: RowFilter): void {
  const known = new Set(columns.map(({ name }) => name.toLowerCase()));
  const missing = names.find((name) => !known.has(name.toLowerCase()));
  if (missing !== undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The row filter uses the column '${missing.slice(0, 255)}', which the table lacks.`,
    });
}

/** A statement's changes of a table. Absent members stay, `null` removes. */
export interface TableChange {
  /** The operation in the history: `ADD COLUMNS`, `SET TBLPROPERTIES`. */
  readonly operation: string;
  /** All columns, including the unchanged ones. */
  readonly columns?: readonly Column[];
  readonly comment?: string | null;
  readonly properties?: Readonly<Record<string, string>>;
  readonly rowFilter?: RowFilter | null;
  readonly viewDefinition?: string;
  /** Replace all current files. */
  readonly files?: readonly NewFile[];
}

/**
 * Changes a table that the transaction has read with the lock `update`. A change of columns creates a new schema, so that earlier versions
 * keep theirs.
 */
export async function changeTable(tx: Tx, call: Actor, found: Chain, change: TableChange): Promise<Chain> {
  requireManager(call, found);
  refuseSystem(found);
  checkProperties(change.properties);
  const before = found.target;
  const columns = change.columns && orderColumns(change.columns);
  if (columns) checkColumnCount(call.jar, before.metastore, fullNameOf(found), columns.length);
  if (change.rowFilter) checkInputs(columns ?? (await columnsOf(tx, before)), change.rowFilter);
  await requireFunctions(tx, call, found, functionsIn(columns ?? [], change.rowFilter ?? undefined));
  const schema = columns ? schemaOf(before) + 1 : schemaOf(before);
  const { comment, properties, rowFilter, viewDefinition } = change;
  const fields: JsonMembers = omitAbsent({
    ...before.fields,
    ...(comment !== undefined && { comment: comment ?? undefined }),
    ...(properties && { properties }),
    ...(rowFilter !== undefined && { row_filter: rowFilter ? { ...rowFilter } : undefined }),
    ...(viewDefinition !== undefined && { view_definition: viewDefinition }),
  });
  const by = callerIdentity(call).principal.id;
  const target: Securable = {
    ...before,
    fields,
    extra: { ...before.extra, schema, ...(columns && { columns: columns.length }) },
    updatedAt: call.jar.clock.now(),
    updatedBy: by,
  };
  await tx.put(securables, keyOf(target), target);
  if (columns) await putColumns(tx, target.id, schema, columns);
  const replacing = change.files && ({ add: change.files, remove: 'all' } as const);
  if (hasData(fields)) await replaceFiles(tx, call.jar, target, { operation: change.operation, by, ...replacing });
  const chain = { ...found, target };
  await record(tx, call, 'update', chain);
  return chain;
}
