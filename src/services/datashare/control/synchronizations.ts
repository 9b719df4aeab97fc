import { type Static, Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { eq, readAll, type Store } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type Run, type RunDataSet, runDataSets, runs, shareSubscriptions, shares } from '../collections.ts';
import { type CopyTally, tallyOf } from '../copying/index.ts';
import { routeCode } from '../jar.ts';
import { shareControlErrors } from './errors.ts';

const Optional = Type.Optional;
const Count = Type.Integer();
const Text = { type: 'Edm.String' } as const;
const Whole = { type: 'Edm.Int64' } as const;
const Instant = { type: 'Edm.DateTimeOffset' } as const;

/** What was copied, so far or in all. */
const COUNTS = { filesRead: Count, filesWritten: Count, sizeRead: Count, sizeWritten: Count };

const TIMES = {
  startTime: Optional(Type.String()),
  endTime: Optional(Type.String()),
  durationMs: Optional(Count),
  message: Optional(Type.String()),
};

const OF_RUN = {
  id: Type.String(),
  status: Type.String(),
  mode: Type.String(),
  /** A request of the consumer, or the schedule of its trigger. */
  startedBy: Type.Enum(['request', 'schedule']),
  queuedAt: Type.String(),
  ...TIMES,
  consumerName: Type.String(),
  consumerTenantName: Type.String(),
  shareSubscriptionId: Optional(Type.String()),
  shareId: Optional(Type.String()),
  dataSets: Count,
  ...COUNTS,
};

const RunView = Type.Object(OF_RUN);

const FullRunView = Type.Object({
  ...OF_RUN,
  results: Type.Array(
    Type.Object({
      dataSetId: Type.String(),
      name: Type.String(),
      kind: Type.String(),
      status: Type.String(),
      ...TIMES,
      ...COUNTS,
      filesUnchanged: Optional(Count),
      filesRemoved: Optional(Count),
      entriesSkipped: Optional(Count),
    }),
  ),
});

interface Seen extends Run {
  readonly parts: Parts;
}

const shape = entityShape<Run>({
  name: 'synchronizations',
  collection: runs,
  properties: {
    id: { ...Text, field: 'id' },
    status: { ...Text, field: 'status' },
    mode: { ...Text, field: 'mode' },
    startedBy: { ...Text, read: startedBy },
    queuedAt: Instant,
    startTime: Instant,
    endTime: { ...Instant, field: 'endTime' },
    durationMs: { ...Whole, field: 'durationMs' },
    message: { ...Text, field: 'message' },
    consumerName: { ...Text, field: 'consumerName' },
    consumerTenantName: { ...Text, field: 'consumerTenantName' },
    shareSubscriptionId: { ...Text, read: ({ parts }: Seen) => parts.shareSubscriptionId },
    shareId: { ...Text, read: ({ parts }: Seen) => parts.shareId },
  },
  scan: 'bounded',
});

export const listSynchronizations = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(RunView) },
  handle: (call) => {
    const { store } = call.jar;
    return listAnswer(call, {
      shape,
      order: [{ field: 'orderTime', descending: true }],
      seen: async ({ value }) => ({ ...value, parts: await partsOf(store, value) }),
      view: async ({ value }) => {
        const results = await resultsOf(store, value);
        return viewOf(value, await partsOf(store, value), results);
      },
    });
  },
});

export const getSynchronization = routeCode(['synchronization'], {
  responses: { 200: FullRunView },
  async handle({ jar: { store }, params: { synchronization: id } }) {
    const { items } = await store.query(runs, { filter: eq('id', id.toLowerCase()), limit: 1 });
    const run = items[0]?.value;
    if (!run) throw shareControlErrors.NoSuchSynchronization({ id: id.slice(0, 100) });
    const results = await resultsOf(store, run);
    return ok({ ...viewOf(run, await partsOf(store, run), results), results: results.map(resultView) });
  },
});

function startedBy({ origin }: Run): 'request' | 'schedule' {
  return origin ? 'request' : 'schedule';
}

interface Parts {
  readonly shareSubscriptionId: string | undefined;
  readonly shareId: string | undefined;
}

/** Undefined for what was deleted, or made again under the same name. */
async function partsOf(store: Store, { subscription, subscriptionKey, share, shareKey }: Run): Promise<Parts> {
  const [taken, given] = await Promise.all([
    store.get(shareSubscriptions, subscriptionKey),
    store.get(shares, shareKey),
  ]);
  return {
    shareSubscriptionId: taken?.value.uid === subscription ? taken.value.id : undefined,
    shareId: given?.value.uid === share ? given.value.id : undefined,
  };
}

type Result = RunDataSet & Partial<CopyTally>;

async function resultsOf(store: Store, { id }: Run): Promise<readonly Result[]> {
  const stored = await readAll(store, runDataSets, { prefix: `${id}/`, order: [{ field: 'name' }] });
  return Promise.all(
    stored.map(async ({ value }) => ({ ...value, ...(await tallyOf(store, { ledger: value.mapping, run: id })) })),
  );
}

function viewOf(run: Run, { shareSubscriptionId, shareId }: Parts, results: readonly Result[]): Static<typeof RunView> {
  const sum = (count: keyof typeof COUNTS): number => results.reduce((total, result) => total + result[count], 0);
  return {
    id: run.id,
    status: run.status,
    mode: run.mode,
    startedBy: startedBy(run),
    queuedAt: isoTime(run.queuedAt),
    ...timesOf(run),
    consumerName: run.consumer.name,
    consumerTenantName: run.consumer.tenantName,
    ...(shareSubscriptionId !== undefined && { shareSubscriptionId }),
    ...(shareId !== undefined && { shareId }),
    dataSets: results.length,
    filesRead: sum('filesRead'),
    filesWritten: sum('filesWritten'),
    sizeRead: sum('sizeRead'),
    sizeWritten: sum('sizeWritten'),
  };
}

const timesOf = ({ startTime, endTime, durationMs, message }: Partial<Pick<Run, keyof typeof TIMES>>) => ({
  ...(startTime !== undefined && { startTime: isoTime(startTime) }),
  ...(endTime !== undefined && { endTime: isoTime(endTime) }),
  ...(durationMs !== undefined && { durationMs }),
  ...(message !== undefined && { message }),
});

const resultView = (result: Result) => ({
  dataSetId: result.dataSetId,
  name: result.name,
  kind: result.kind,
  status: result.status,
  ...timesOf(result),
  filesRead: result.filesRead,
  filesWritten: result.filesWritten,
  sizeRead: result.sizeRead,
  sizeWritten: result.sizeWritten,
  ...(result.filesUnchanged !== undefined && { filesUnchanged: result.filesUnchanged }),
  ...(result.filesRemoved !== undefined && { filesRemoved: result.filesRemoved }),
  ...(result.entriesSkipped !== undefined && { entriesSkipped: result.entriesSkipped }),
});
