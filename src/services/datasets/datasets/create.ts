import { Type } from 'typebox';
import { created } from '../../../kernel/http/index.ts';
import { etag, uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { callerOf, ownerOf, placeIn } from '../access/place.ts';
import { checkCount } from '../access/within-request.ts';
import { datasetSubject, recordChange } from '../changes.ts';
import { datasets, type TableState, tableKey, tableStates, type Workspace, workspaces } from '../collections.ts';
import { contextOf } from '../context.ts';
import { errors } from '../errors.ts';
import { type DatasetsCall, type DatasetsJar, routeCode } from '../jar.ts';
import { COLUMNS, RELATIONSHIPS, ROWS_PER_REQUEST, TABLES } from '../limits.ts';
import { checkMeasures } from '../model/check-measures.ts';
import { Mistakes, oneMistake } from '../model/mistakes.ts';
import { modelOf } from '../model/model-of.ts';
import { type DraftDataset, readDataset } from '../model/read-dataset.ts';
import type { DraftTable } from '../model/read-table.ts';
import { DatasetBody } from '../model/schema.ts';
import { definitionOf } from '../model/typed-table.ts';
import { type Dataset, RETENTION_POLICIES, type RetentionPolicy, type Table } from '../model/types.ts';
import { bytesOf, jsonOf } from '../read-body.ts';
import { append, type Push } from '../rows/append.ts';
import { compile, convertTwice } from '../rows/converters.ts';
import { FINISH_CREATION, finishId } from '../work.ts';
import { DatasetView, datasetAddress, datasetView } from './view.ts';

/** 75 tables of 75 columns with all of their properties, and 10,000 rows. */
const BOUNDS = { names: 1_000_000, values: 1_100_000, depth: 10 };

const Created = Type.Object({ ...DatasetView.properties, defaultRetentionPolicy: Type.String() });

export const createDataset = routeCode([], {
  query: Type.Object({ defaultRetentionPolicy: Type.Optional(Type.String()) }),
  responses: { 201: Created, 202: Created },
  jsonInBytes: DatasetBody,
  async handle(call) {
    const { jar } = call;
    const retention = readRetention(call.query.defaultRetentionPolicy);
    const settings = await jar.settings.current();
    const isDeferred = settings.deferredCreation > 0;
    const json = jsonOf(call, BOUNDS);
    const draft = await readRequest(call, json.value);
    const dataset = { ...newDataset(call, draft), retention, isPending: isDeferred };
    const exact = (i: number) => readDataset(json.exact(), new Mistakes())?.tables[i]?.rows ?? [];
    const pushes = pushesOf(call, dataset, draft.tables, exact);
    await jar.store.transact(async (tx) => {
      await ensureWorkspace(tx, call);
      await tx.put(datasets, dataset.id, dataset);
      for (const push of pushes) {
        await tx.tables.create(definitionOf(push.table, dataset.relationships));
        const state = emptyState(dataset, push.table);
        if (push.rows.length > 0) await append(tx, jar, settings, state, push);
        else await tx.put(tableStates, tableKey(dataset.id, state.storage), state);
      }
      if (!isDeferred) return recordCreation(tx, jar, dataset);
      const due = jar.clock.now() + settings.deferredCreation;
      await tx.schedule(FINISH_CREATION.at(due, { dataset: dataset.id }, finishId(dataset.id)));
    });
    const body = {
      ...contextOf(call, 'datasets/$entity'),
      ...datasetView(call, dataset),
      defaultRetentionPolicy: retention,
    };
    const answer = created(body, { location: datasetAddress(call, dataset.id) });
    return isDeferred ? { ...answer, status: 202 } : answer;
  },
});

function readRetention(given: string | undefined): RetentionPolicy {
  if (given === undefined) return 'None';
  const found = RETENTION_POLICIES.find((policy) => policy.toLowerCase() === given.toLowerCase());
  if (found) return found;
  const message = `'${given.slice(0, 60)}' is no retention policy; there are ${RETENTION_POLICIES.join(', ')}.`;
  throw oneMistake('defaultRetentionPolicy', message);
}

async function readRequest(call: DatasetsCall, body: unknown): Promise<DraftDataset> {
  const mistakes = new Mistakes();
  const draft = readDataset(body, mistakes);
  if (draft) {
    const { tables, relationships } = draft;
    await checkCount(call, TABLES, tables.length, 'tables', mistakes);
    await checkCount(call, RELATIONSHIPS, relationships.length, 'relationships', mistakes);
    for (const [i, { columns }] of tables.entries())
      await checkCount(call, COLUMNS, columns.length, `tables[${i}].columns`, mistakes);
    const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
    await checkCount(call, ROWS_PER_REQUEST, rows, 'tables', mistakes);
  }
  mistakes.throwAny();
  // Without a mistake there is a draft.
  return draft as DraftDataset;
}

function newDataset(call: DatasetsCall, { name, mode, tables, relationships, datasources }: DraftDataset): Dataset {
  const { tenantId, objectId, name: configuredBy } = callerOf(call);
  const dataset: Dataset = {
    id: uuid(),
    tenantId,
    workspace: placeIn(call).key,
    name,
    mode,
    retention: 'None',
    tables: tables.map(newTable),
    relationships,
    datasources,
    createdAt: call.jar.clock.now(),
    ownerId: objectId.toLowerCase(),
    configuredBy,
    isPending: false,
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

/** Names of typed tables are never used again. */
const newTable = ({ rows: _rows, columns, ...table }: DraftTable): Table => ({
  ...table,
  storage: `t_${uuid().replaceAll('-', '')}`,
  schema: etag(),
  columns: columns.map((column, i) => ({ ...column, storage: `c${i + 1}` })),
});

/** Rows that come with their table are stored like a push. */
function pushesOf(
  call: DatasetsCall,
  dataset: Dataset,
  drafts: readonly DraftTable[],
  exact: (table: number) => readonly unknown[],
): Push[] {
  const total = drafts.reduce((sum, { rows }) => sum + rows.length, 0);
  return dataset.tables.map((table, i) => {
    const sent = drafts[i]?.rows ?? [];
    const rows = convertTwice(compile(table.columns, `tables[${i}].rows`), sent, () => exact(i));
    const bytes = total === 0 ? 0 : Math.round((bytesOf(call) * sent.length) / total);
    return { dataset, table, rows, bytes };
  });
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

/** "My workspace" is there from its first dataset on. Any other may have been deleted since the caller was found to be a member. */
async function ensureWorkspace(tx: Tx, call: DatasetsCall): Promise<void> {
  const { key, workspace } = placeIn(call);
  if (await tx.get(workspaces, key, 'share')) return;
  if (workspace?.kind === 'group') throw errors.PowerBIEntityNotFound({ what: 'workspace', id: key });
  await tx.lock(`${workspaces.name}:${key}`);
  if (await tx.get(workspaces, key)) return;
  const caller = callerOf(call);
  const own: Workspace = {
    id: uuid(),
    tenantId: caller.tenantId,
    kind: 'personal',
    name: 'My workspace',
    users: [ownerOf(caller)],
    createdAt: call.jar.clock.now(),
  };
  await tx.put(workspaces, key, own);
}

export function recordCreation(tx: Tx, jar: DatasetsJar, dataset: Dataset): Promise<void> {
  const { id, tenantId, workspace, name, mode, tables } = dataset;
  const data = { tenantId, workspace, dataset: id, name, mode, tables: tables.map((table) => table.name) };
  return recordChange(tx, jar, { kind: 'create', subject: datasetSubject(id), data });
}
