import { Type } from 'typebox';
import { created } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { callerOf, ownerOf } from '../access/caller.ts';
import { workspaceNotFound } from '../access/lookup.ts';
import { placeIn } from '../access/place.ts';
import { checkRequestLimit } from '../access/request-limits.ts';
import { type Workspace, workspaces } from '../collections.ts';
import { contextOf } from '../context.ts';
import { type DatasetsCall, routeCode } from '../jar.ts';
import { COLUMNS, RELATIONSHIPS, ROWS_PER_REQUEST, TABLES } from '../limits.ts';
import { Mistakes, oneMistake } from '../model/mistakes.ts';
import { type DraftDataset, readDataset } from '../model/read-dataset.ts';
import { DatasetBody } from '../model/schema.ts';
import { RETENTION_POLICIES, type RetentionPolicy } from '../model/types.ts';
import { bytesOf, jsonOf } from '../read-body.ts';
import { FINISH_CREATION, finishId } from '../work.ts';
import { initialRowsOf } from './initial-rows.ts';
import { newDataset, pushesOf, putDataset, recordCreation } from './make.ts';
import { DatasetView, datasetAddress, datasetView } from './view.ts';

/** Enough for 75 tables of 75 columns with all their properties, and 10,000 rows. */
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
    const dataset = newDataset(draft, {
      id: uuid(),
      ...ownerAndPlace(call),
      createdAt: jar.clock.now(),
      retention,
      isPending: isDeferred,
    });
    const pushes = pushesOf(dataset, draft.tables, initialRowsOf(json, bytesOf(call)));
    await jar.store.transact(async (tx) => {
      await ensureWorkspace(tx, call);
      await putDataset(tx, jar, settings, dataset, pushes);
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
  const message = `'${given.slice(0, 60)}' is not a retention policy; use ${RETENTION_POLICIES.join(' or ')}.`;
  throw oneMistake('defaultRetentionPolicy', message);
}

async function readRequest(call: DatasetsCall, body: unknown): Promise<DraftDataset> {
  const mistakes = new Mistakes();
  const draft = readDataset(body, mistakes);
  if (draft) {
    const { tables, relationships } = draft;
    await checkRequestLimit(call, TABLES, tables.length, 'tables', mistakes);
    await checkRequestLimit(call, RELATIONSHIPS, relationships.length, 'relationships', mistakes);
    for (const [i, { columns }] of tables.entries())
      await checkRequestLimit(call, COLUMNS, columns.length, `tables[${i}].columns`, mistakes);
    const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
    await checkRequestLimit(call, ROWS_PER_REQUEST, rows, 'tables', mistakes);
  }
  mistakes.throwAny();
  // `readDataset` returns undefined only together with a mistake.
  return draft as DraftDataset;
}

function ownerAndPlace(call: DatasetsCall) {
  const { tenantId, objectId, name: configuredBy } = callerOf(call);
  return { tenantId, workspace: placeIn(call).key, ownerId: objectId.toLowerCase(), configuredBy };
}

/** "My workspace" is created with its first dataset. A group workspace may have been deleted since the request arrived. */
async function ensureWorkspace(tx: Tx, call: DatasetsCall): Promise<void> {
  const { key } = placeIn(call);
  if (await tx.get(workspaces, key, 'share')) return;
  const { group } = call.params;
  if (group !== undefined) throw workspaceNotFound(group);
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
