import { etag, uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { datasetSubject, recordChange } from '../changes.ts';
import { datasets, type TableState, tableKey, tableStates } from '../collections.ts';
import { checkMeasures } from '../model/check-measures.ts';
import { Mistakes } from '../model/mistakes.ts';
import { modelOf } from '../model/model-of.ts';
import type { DraftDataset } from '../model/read-dataset.ts';
import type { DraftTable } from '../model/read-table.ts';
import { definitionOf } from '../model/typed-table.ts';
import type { Dataset, Table } from '../model/types.ts';
import { append, type Push, type StoringJar } from '../rows/append.ts';
import { compile, convertExactly } from '../rows/converters.ts';
import type { Settings } from '../settings-table.ts';

/** The properties of a dataset that do not come from the request body. */
export type AssignedProperties = Pick<
  Dataset,
  'id' | 'tenantId' | 'workspace' | 'ownerId' | 'configuredBy' | 'createdAt' | 'retention' | 'isPending'
>;

/** Creates a dataset, with the service's defaults for properties that a request cannot set. Throws if a measure is invalid. */
export function newDataset(draft: DraftDataset, assigned: AssignedProperties): Dataset {
  const { name, mode, tables, relationships, datasources } = draft;
  const dataset: Dataset = {
    ...assigned,
    name,
    mode,
    tables: tables.map(newTable),
    relationships,
    datasources,
    targetStorageMode: 'Abf',
    encryption: 'NotSupported',
    queryScaleOutSettings: { autoSyncReadOnlyReplicas: true, maxReadOnlyReplicas: 0 },
    upstreamDataflows: [],
  };
  const mistakes = new Mistakes();
  checkMeasures(modelOf(dataset), mistakes);
  mistakes.throwAny();
  return dataset;
}

/** Names of typed tables are never reused. */
const newTable = ({ rows: _rows, columns, ...table }: DraftTable): Table => ({
  ...table,
  storage: `t_${uuid().replaceAll('-', '')}`,
  schema: etag(),
  columns: columns.map((column, i) => ({ ...column, storage: `c${i + 1}` })),
});

/** How the request wrote the rows of a new dataset. */
export interface InitialRows {
  /** Size of all rows together. */
  readonly bytes: number;
  /** The rows of a table, with all digits of their numbers. */
  exact(table: number): readonly unknown[];
}

/** Rows in the request that creates the table are stored like a push. */
export function pushesOf(dataset: Dataset, drafts: readonly DraftTable[], written: InitialRows): Push[] {
  const total = drafts.reduce((sum, { rows }) => sum + rows.length, 0);
  return dataset.tables.map((table, i) => {
    const sent = drafts[i]?.rows ?? [];
    const rows = convertExactly(compile(table.columns, `tables[${i}].rows`), sent, () => written.exact(i));
    const bytes = total === 0 ? 0 : Math.round((written.bytes * sent.length) / total);
    return { dataset, table, rows, bytes };
  });
}

/** Stores a new dataset with its tables and initial rows. */
export async function putDataset(
  tx: Tx,
  jar: StoringJar,
  settings: Settings,
  dataset: Dataset,
  pushes: readonly Push[],
): Promise<void> {
  await tx.put(datasets, dataset.id, dataset);
  for (const push of pushes) {
    await tx.tables.create(definitionOf(push.table, dataset.relationships));
    const state = emptyState(dataset, push.table);
    if (push.rows.length > 0) await append(tx, jar, settings, state, push);
    else await tx.put(tableStates, tableKey(dataset.id, state.storage), state);
  }
}

const emptyState = ({ id }: Dataset, { name, storage, schema }: Table): TableState => ({
  dataset: id,
  table: name,
  storage,
  schema,
  rows: 0,
  pushed: { requests: 0, rows: 0, bytes: 0 },
  sequences: {},
});

export function recordCreation(tx: Tx, jar: Pick<StoringJar, 'clock'>, dataset: Dataset): Promise<void> {
  const { id, tenantId, workspace, name, mode, tables } = dataset;
  const data = { tenantId, workspace, dataset: id, name, mode, tables: tables.map((table) => table.name) };
  return recordChange(tx, jar, { kind: 'create', subject: datasetSubject(id), data });
}
