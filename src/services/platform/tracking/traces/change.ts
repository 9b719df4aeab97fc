import { allOf, atMost, type Collection, deleteSome, eq, type Filter, SLICE } from '../../../../kernel/store/index.ts';
import { nextTurn } from '../../../../kernel/time/index.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { experimentKey } from '../collections.ts';
import { findExperiment } from '../experiments/find.ts';
import { Request } from '../request.ts';
import { findRun, runIdIn } from '../runs/find.ts';
import { traceAssessments, traceKey, traceMetadata, traceSpans, traces, traceTags } from './collections.ts';
import { traceErrors } from './errors.ts';
import { lockTrace } from './find.ts';
import { checkText, putTexts, recordTrace, removeTag } from './texts.ts';

const NONE: ReadonlyMap<string, string> = new Map();

const idIn = (call: PlatformCall): string => String(call.params.request_id);

/** `PATCH traces/{id}/tags`. */
export async function setTraceTag(call: PlatformCall): Promise<void> {
  const request = Request.ofBody(call.body);
  const [name, value] = [request.need('key'), request.text('value') ?? ''];
  checkText(request, name, value);
  await call.jar.store.transact(async (tx) => {
    const trace = await lockTrace(tx, call, idIn(call));
    await recordTrace(tx, call.jar, 'set-tag', await putTexts(tx, trace, new Map([[name, value]]), NONE));
  });
}

/** `DELETE traces/{id}/tags`: clients send the key in the body or in the query. */
export async function deleteTraceTag(call: PlatformCall): Promise<void> {
  const name = Request.of(call).need('key');
  await call.jar.store.transact(async (tx) => {
    const trace = await lockTrace(tx, call, idIn(call));
    if (!(await removeTag(tx, trace, name)))
      throw traceErrors.RESOURCE_DOES_NOT_EXIST__TraceTag({ name: name.slice(0, 300), id: trace.id });
    await recordTrace(tx, call.jar, 'delete-tag', trace);
  });
}

/** Maximum number of traces that one request removes; clients repeat the request while more remain. */
const MOST_DELETED = 100;

/** `traces/delete-traces`: the traces with these ids, or the oldest up to a time. */
export async function deleteTraces(call: PlatformCall): Promise<object> {
  const { store } = call.jar;
  const request = Request.ofBody(call.body);
  const id = request.need('experiment_id');
  const until = request.whole('max_timestamp_millis');
  const most = request.whole('max_traces');
  const ids = [...new Set([...request.texts('request_ids'), ...request.texts('trace_ids')])];
  if ((until === undefined) === (ids.length === 0))
    throw traceErrors.INVALID_PARAMETER_VALUE({
      reason: 'Either `max_timestamp_millis` or `request_ids` must be specified, but not both.',
    });
  if (ids.length > 0 && most !== undefined)
    throw traceErrors.INVALID_PARAMETER_VALUE({
      reason: '`max_traces` cannot be specified if `request_ids` is specified.',
    });
  if (most !== undefined && most <= 0)
    throw traceErrors.INVALID_PARAMETER_VALUE({
      reason: `\`max_traces\` must be a positive integer, received ${most}.`,
    });
  if (ids.length > MOST_DELETED)
    throw traceErrors.INVALID_PARAMETER_VALUE({
      reason: `At most ${MOST_DELETED} traces can be deleted at once, got ${ids.length}.`,
    });
  await findExperiment(store, call, { id, level: 'CAN_EDIT' });
  const { id: workspaceId } = workspaceIn(call);
  const those: Filter =
    until === undefined
      ? { op: 'in', field: 'key', values: ids.map((each) => traceKey(workspaceId, each)) }
      : atMost('startedAt', until);
  const { items } = await store.query(traces, {
    filter: allOf(eq('experiment', experimentKey(workspaceId, id)), those),
    order: [{ field: 'startedAt' }],
    limit: Math.min(most ?? MOST_DELETED, MOST_DELETED),
  });
  let deleted = 0;
  for (const { key } of items) {
    if (await remove(call, key)) deleted++;
    await new Promise<void>(nextTurn);
  }
  return { traces_deleted: deleted };
}

const OF_TRACES: readonly Collection<never>[] = [traceTags, traceMetadata, traceSpans, traceAssessments];

/**
 * One transaction per trace, which may have some thousand documents: all traces of a request in one transaction would block others for
 * seconds.
 */
const remove = ({ jar }: PlatformCall, key: string): Promise<boolean> =>
  jar.store.transact(async (tx) => {
    const trace = (await tx.get(traces, key))?.value;
    if (!trace) return false;
    for (const from of OF_TRACES) while ((await deleteSome(tx, from, { filter: eq('trace', key) })) === SLICE);
    await tx.delete(traces, key);
    await recordTrace(tx, jar, 'delete', trace);
    return true;
  });

const MOST_LINKED = 100;

/** `traces/link-to-run`. */
export async function linkToRun(call: PlatformCall): Promise<void> {
  const request = Request.ofBody(call.body);
  const ids = [...new Set(request.texts('trace_ids'))];
  if (ids.length === 0) throw request.missing('trace_ids');
  if (ids.length > MOST_LINKED)
    throw traceErrors.INVALID_PARAMETER_VALUE({
      reason: `Cannot link more than ${MOST_LINKED} traces to a run in a single request. Provided ${ids.length} traces.`,
    });
  const runId = runIdIn(request);
  await call.jar.store.transact(async (tx) => {
    const { run } = await findRun(tx, call, runId, 'CAN_EDIT', 'share');
    for (const id of ids.sort()) {
      const trace = await lockTrace(tx, call, id);
      const linked = await putTexts(tx, trace, NONE, new Map([['mlflow.sourceRun', run.id]]));
      await recordTrace(tx, call.jar, 'link-to-run', linked);
    }
  });
}
