import { Type } from 'typebox';
import { errorTable, noContent, ok, type Route } from '../kernel/http/index.ts';
import { entityShape, type Item, listAnswer, listOf, listQuery } from '../kernel/odata/index.ts';
import { type Call, route } from '../kernel/service/index.ts';
import { type Json, type StoredWork, type Tx, WORK_STATES, workItems } from '../kernel/store/index.ts';
import { isoTime } from '../kernel/time/index.ts';
import type { Controls } from './controls.ts';
import { type WorkNames, workNames } from './work-names.ts';

export const workErrors = errorTable({
  NoSuchWork: [404, "There is no work item '{id}': it is done, or it never existed."],
  WorkNotParked: [
    409,
    "The work item '{id}' is {state}, and only parked ones can be {wanted}: the jar handles all others itself.",
  ],
});

const View = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  title: Type.Optional(Type.String({ description: 'What running an item of this kind does' })),
  subject: Type.Optional(Type.String({ description: 'What the item is about' })),
  state: Type.Enum([...WORK_STATES]),
  dueAt: Type.String(),
  attempts: Type.Integer(),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why the last attempt failed' }),
  payload: Type.Unknown({ description: 'Null if it contains a secret' }),
});

const shape = entityShape({
  name: 'work items',
  collection: workItems,
  properties: {
    id: { type: 'Edm.String', field: 'key' },
    kind: { type: 'Edm.String', field: 'kind' },
    state: { type: { members: WORK_STATES }, field: 'state' },
    dueAt: { type: 'Edm.DateTimeOffset', field: 'dueAt' },
    attempts: { type: 'Edm.Int32', field: 'attempts' },
    reason: { type: 'Edm.String', field: 'reason' },
  },
  scan: 'refused',
});

/** Due work, and abandoned work items, which can be retried or dropped. */
export function workRoutes(controls: Pick<Controls, 'workKinds'>): readonly Route[] {
  const names = workNames(controls);
  const view = ({ value }: Item<StoredWork>) => viewOf(value, names);
  return [
    route({
      method: 'GET',
      path: '/_jar/work',
      operation: 'Jar_ListWork',
      summary:
        "Due work, earliest first: waiting, leased or parked; $filter=state eq 'parked' shows items that were abandoned after their last attempt",
      query: listQuery(shape),
      responses: { 200: listOf(View) },
      handle: (call) => listAnswer(call, { shape, order: [{ field: 'dueAt' }], view }),
    }),
    route({
      method: 'GET',
      path: '/_jar/work/{id}',
      operation: 'Jar_GetWork',
      summary: 'One item of due work',
      responses: { 200: View },
      async handle({ jar, params: { id } }) {
        const found = await jar.store.get(workItems, id);
        if (!found) throw noSuchWork(id);
        return ok(view(found));
      },
    }),
    route({
      method: 'POST',
      path: '/_jar/work/{id}/retry',
      operation: 'Jar_RetryWork',
      summary: 'Retries a parked item, now and with a full number of attempts',
      responses: { 200: View },
      async handle(call) {
        const { id } = call.params;
        const dueAt = call.jar.clock.now();
        const retried = await call.jar.store.transact(async (tx) => {
          const { kind, payload } = await parked(tx, id, 'retried');
          await tx.schedule({ id, kind, dueAt, payload: JSON.parse(payload) });
          await note(tx, call, 'retry', kind);
          return tx.get(workItems, id);
        });
        if (!retried) throw noSuchWork(id);
        tell(call, 'a parked work item is retried', retried.value);
        return ok(view(retried));
      },
    }),
    route({
      method: 'DELETE',
      path: '/_jar/work/{id}',
      operation: 'Jar_DropWork',
      summary: 'Removes a parked item, which is then never run',
      responses: { 204: 'Removed' },
      async handle(call) {
        const { id } = call.params;
        const dropped = await call.jar.store.transact(async (tx) => {
          const item = await parked(tx, id, 'dropped');
          await tx.cancel(id);
          await note(tx, call, 'drop', item.kind);
          return item;
        });
        tell(call, 'a parked work item is dropped', dropped);
        return noContent();
      },
    }),
  ];
}

const noSuchWork = (id: string): Error => workErrors.NoSuchWork({ id: id.slice(0, 200) });

/** Loads the item and locks it until the transaction ends. */
async function parked(tx: Tx, id: string, wanted: string): Promise<StoredWork> {
  const found = await tx.get(workItems, id);
  if (!found) throw noSuchWork(id);
  const { state } = found.value;
  if (state !== 'parked') throw workErrors.WorkNotParked({ id: id.slice(0, 200), state, wanted });
  return found.value;
}

/** Records the action with its request. The caller holds the admin key, which has no name. */
function note(tx: Tx, { jar, requestId, params }: Call<{ readonly id: string }>, action: string, kind: string) {
  const data = { action, workKind: kind, requestId, caller: { name: 'administrator' } };
  return tx.change({
    source: 'control',
    kind: 'work',
    subject: params.id,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data,
  });
}

function tell(
  { jar, requestId }: Call<{ readonly id: string }>,
  message: string,
  { id, kind, reason }: StoredWork,
): void {
  jar.log.info({ id, kind, requestId, reason }, message);
}

function viewOf({ dueAt, payload: stored, ...item }: StoredWork, { titled, subject, hasSecret }: WorkNames) {
  const payload: Json = JSON.parse(stored);
  const { id, kind, ...rest } = item;
  return {
    id,
    ...titled(kind),
    ...subject({ kind, payload }),
    ...rest,
    dueAt: isoTime(dueAt),
    payload: hasSecret(kind) ? null : payload,
  };
}
