import { Type } from 'typebox';
import { listPage, listPageOf, queryValue } from '../../../kernel/arm/index.ts';
import type { Answer } from '../../../kernel/http/index.ts';
import { type EntityShape, entityShape, LIST_QUERY } from '../../../kernel/odata/index.ts';
import { allOf, eq, type Filter } from '../../../kernel/store/index.ts';
import { ownedKey, type Run, type RunDataSet, runDataSets, runs } from '../collections.ts';
import { tallyOf } from '../copying/index.ts';
import { dataShareErrors } from '../errors.ts';
import { armCode, type DataShareCall } from '../jar.ts';
import { object, read, text } from '../model/body.ts';
import { cachedReader, findShare, findSubscription } from '../model/places.ts';
import { CONSUMER_SHAPE, PROVIDER_SHAPE, startedOnly } from './filter.ts';
import { forProvider } from './messages.ts';
import { asProvider, consumerView, detailView, providerView } from './view.ts';

/** Lists of the runs of a share and of a share subscription, and of their results per data set. */

const ORDER = [{ field: 'orderTime', descending: true }];
const SHARE_PARAMS = ['accountName', 'shareName'] as const;
const SUBSCRIPTION_PARAMS = ['accountName', 'shareSubscriptionName'] as const;

export const listOfShare = armCode(SHARE_PARAMS, {
  query: Type.Object(LIST_QUERY),
  async handle(call, arm) {
    const { uid } = await findShare(cachedReader(call.jar.store), arm, call.params);
    const source = { filter: eq('share', uid), order: ORDER, shape: PROVIDER_SHAPE, rewrite: startedOnly };
    return listPage(call, runs, source, providerView);
  },
});

export const listOfSubscription = armCode(SUBSCRIPTION_PARAMS, {
  query: Type.Object({ ...LIST_QUERY, $skip: LIST_QUERY.$skiptoken }),
  async handle(call, arm) {
    const { uid } = await findSubscription(cachedReader(call.jar.store), arm, call.params);
    const source = { filter: eq('subscription', uid), order: ORDER, shape: CONSUMER_SHAPE, rewrite: startedOnly };
    return listPage(call, runs, { ...source, query: withSkipAsToken(call) }, consumerView);
  },
});

/** One table of the published interface names the token `$skip`. */
function withSkipAsToken(call: Pick<DataShareCall, 'query'>): DataShareCall['query'] {
  const skip = queryValue(call, '$skip');
  const others = Object.entries(call.query).filter(([name]) => name.toLowerCase() !== '$skip');
  const isToken = skip !== undefined && queryValue(call, '$skiptoken') === undefined;
  return { ...Object.fromEntries(others), ...(isToken && { $skiptoken: skip }) };
}

const WHICH = object({ synchronizationId: text({ required: true }) });

const DETAILS = {
  dataSetId: { type: 'Edm.String', field: 'dataSetId' },
  dataSetType: { type: 'Edm.String', field: 'kind' },
  name: { type: 'Edm.String', field: 'name' },
  status: { type: 'Edm.String', field: 'status' },
  message: { type: 'Edm.String', field: 'message' },
  startTime: { type: 'Edm.DateTimeOffset', field: 'startTime' },
  endTime: { type: 'Edm.DateTimeOffset', field: 'endTime' },
  durationMs: { type: 'Edm.Int64', field: 'durationMs' },
  filesRead: { type: 'Edm.Int64', field: 'filesRead' },
  filesWritten: { type: 'Edm.Int64', field: 'filesWritten' },
  sizeRead: { type: 'Edm.Int64', field: 'sizeRead' },
  sizeWritten: { type: 'Edm.Int64', field: 'sizeWritten' },
} as const;
const about = { name: 'data sets of a synchronization', collection: runDataSets, scan: 'bounded' } as const;

/** How each side sees and filters the details. */
interface DetailSide {
  readonly shape: EntityShape<RunDataSet>;
  readonly view: (it: RunDataSet) => Record<string, unknown>;
}
const CONSUMER_DETAILS: DetailSide = {
  shape: entityShape<RunDataSet>({ ...about, properties: DETAILS }),
  view: detailView,
};
const PROVIDER_DETAILS: DetailSide = {
  shape: entityShape<RunDataSet>({
    ...about,
    properties: { ...DETAILS, message: { type: 'Edm.String', read: forProvider } },
  }),
  view: (it) => detailView(asProvider(it)),
};

export const detailsOfShare = armCode(SHARE_PARAMS, {
  query: Type.Object(LIST_QUERY),
  body: WHICH.schema(),
  async handle(call, arm) {
    const { uid } = await findShare(cachedReader(call.jar.store), arm, call.params);
    const { synchronizationId: id } = read(WHICH, call.body, arm.view.rules);
    const run = await findRun(call, allOf(eq('share', uid), eq('id', id.toLowerCase())), id);
    return details(call, run, PROVIDER_DETAILS);
  },
});

export const detailsOfSubscription = armCode(SUBSCRIPTION_PARAMS, {
  query: Type.Object(LIST_QUERY),
  body: WHICH.schema(),
  async handle(call, arm) {
    const { uid } = await findSubscription(cachedReader(call.jar.store), arm, call.params);
    const { synchronizationId: id } = read(WHICH, call.body, arm.view.rules);
    const stored = await call.jar.store.get(runs, ownedKey(uid, id));
    if (!stored) throw dataShareErrors.SynchronizationNotFound({ id });
    return details(call, stored.value, CONSUMER_DETAILS);
  },
});

async function findRun({ jar }: Pick<DataShareCall, 'jar'>, filter: Filter, id: string): Promise<Run> {
  const { items } = await jar.store.query(runs, { filter, limit: 1 });
  if (!items[0]) throw dataShareErrors.SynchronizationNotFound({ id });
  return items[0].value;
}

const details = (call: DataShareCall, { id }: Run, { shape, view }: DetailSide): Promise<Answer> =>
  listPageOf(call, runDataSets, { prefix: `${id}/`, order: [{ field: 'name' }], shape }, (found) =>
    Promise.all(found.map(async (it) => view(await withProgress(call, id, it)))),
  );

/** Adds the current progress of a data set that is being copied. */
async function withProgress({ jar }: DataShareCall, run: string, it: RunDataSet): Promise<RunDataSet> {
  if (it.status !== 'InProgress') return it;
  return { ...it, ...(await tallyOf(jar.store, { ledger: it.mapping, run })) };
}
