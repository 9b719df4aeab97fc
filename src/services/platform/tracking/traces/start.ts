import { uuid } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import type { PlatformCall } from '../../jar.ts';
import { findActiveExperiment } from '../experiments/find.ts';
import { checkLength } from '../names.ts';
import { Request } from '../request.ts';
import {
  TRACE_STATES,
  type Trace,
  type TraceSpan,
  type TraceState,
  traceKey,
  traceSpans,
  traces,
} from './collections.ts';
import { traceErrors } from './errors.ts';
import { LONGEST_TRACE_ID, lockTrace } from './find.ts';
import { putTexts, readTexts, recordTrace, type Texts } from './texts.ts';
import { durationIn, readMap, timeIn } from './values.ts';

/** Restricted, because ids are part of keys and paths. */
const TRACE_ID = /^[\w.:-]+$/;
const LONGEST_PREVIEW = 10_000;
const LONGEST_CLIENT_ID = 50;
const MOST_SPANS = 1000;

const newId = (): string => `tr-${uuid().replaceAll('-', '')}`;

/** The last representable date: version 3 returns times as texts. */
const LAST_MS = 8_640_000_000_000_000;

function startedAt(request: Request, field: string, at: number): number {
  if (at < 0) throw request.invalid(field, at, 'Timestamps are milliseconds since 1970 and must not be negative.');
  if (at > LAST_MS) throw request.invalid(field, at, `Timestamps are at most ${LAST_MS}.`);
  return at;
}

/** `POST traces` of version 2: the trace is in progress until the client ends it. */
export function startTrace(call: PlatformCall): Promise<Trace> {
  const { jar } = call;
  const request = Request.ofBody(call.body);
  const experimentId = request.need('experiment_id');
  const at = startedAt(request, 'timestamp_ms', request.needWhole('timestamp_ms'));
  const [metadata, tags] = [readTexts(request, 'request_metadata'), readTexts(request, 'tags')];
  return jar.store.transact(async (tx) => {
    const { workspaceId } = await findActiveExperiment(tx, call, {
      id: experimentId,
      level: 'CAN_EDIT',
      lock: 'share',
    });
    const trace: Trace = { workspaceId, experimentId, id: newId(), startedAt: at, state: 'IN_PROGRESS' };
    return create(tx, call, trace, tags, metadata);
  });
}

/** `PATCH traces/{request_id}`: ends the trace; its timestamp is that of the end. */
export function endTrace(call: PlatformCall): Promise<Trace> {
  const { jar } = call;
  const request = Request.ofBody(call.body);
  const at = request.needWhole('timestamp_ms');
  const state = readState(request, 'status');
  const [metadata, tags] = [readTexts(request, 'request_metadata'), readTexts(request, 'tags')];
  return jar.store.transact(async (tx) => {
    const trace = await lockTrace(tx, call, String(call.params.request_id));
    const ended = { ...trace, state, durationMs: Math.max(0, at - trace.startedAt) };
    const written = await putTexts(tx, ended, tags, metadata);
    await recordTrace(tx, jar, 'end', written);
    return written;
  });
}

function readState(request: Request, field: string): TraceState {
  const state = request.word(field, TRACE_STATES);
  if (state === undefined) throw request.missing(field);
  return state;
}

/** `POST traces` of version 3: a complete trace. */
export function recordCompleteTrace(call: PlatformCall): Promise<Trace> {
  const { jar } = call;
  const sent = Request.ofBody(call.body).member('trace');
  const info = sent?.member('trace_info');
  if (!sent || !info) throw Request.ofBody(call.body).missing('trace.trace_info');
  const location = info.member('trace_location')?.member('mlflow_experiment');
  const experimentId = location?.need('experiment_id') ?? info.need('experiment_id');
  const id = readId(info) ?? newId();
  const [request, response] = [info.text('request_preview'), info.text('response_preview')];
  const clientRequestId = info.text('client_request_id');
  checkLength(clientRequestId ?? '', info.path('client_request_id'), LONGEST_CLIENT_ID);
  const base = omitAbsent({
    id,
    experimentId,
    clientRequestId,
    startedAt: startedAt(info, 'request_time', timeIn(info, 'request_time') ?? jar.clock.now()),
    durationMs: durationIn(info, 'execution_duration'),
    state: info.word('state', TRACE_STATES) ?? 'STATE_UNSPECIFIED',
    requestPreview: request?.slice(0, LONGEST_PREVIEW),
    responsePreview: response?.slice(0, LONGEST_PREVIEW),
  });
  const [metadata, tags] = [readMap(info, 'trace_metadata'), readMap(info, 'tags')];
  const spans = readSpans(sent);
  return jar.store.transact(async (tx) => {
    const { workspaceId } = await findActiveExperiment(tx, call, {
      id: experimentId,
      level: 'CAN_EDIT',
      lock: 'share',
    });
    const trace = await create(tx, call, { ...base, workspaceId }, tags, metadata);
    const { startedAt: start } = trace;
    const of = { workspaceId, experimentId, traceId: id, startedAt: start };
    const keyed = spans.map(
      (span, number) =>
        [`${traceKey(workspaceId, id)}/${String(number).padStart(4, '0')}`, { ...of, number, ...span }] as const,
    );
    await tx.putAll(traceSpans, keyed);
    return trace;
  });
}

function readId(info: Request): string | undefined {
  const id = info.text('trace_id');
  if (!id) return undefined;
  if (id.length > LONGEST_TRACE_ID || !TRACE_ID.test(id))
    throw info.invalid(
      'trace_id',
      id,
      `An id has letters, digits and _ - . :, and at most ${LONGEST_TRACE_ID} of them.`,
    );
  return id;
}

async function create(tx: Tx, call: PlatformCall, trace: Trace, tags: Texts, metadata: Texts): Promise<Trace> {
  const key = traceKey(trace.workspaceId, trace.id);
  await tx.lock(`platform.trace:${key}`);
  if (await tx.get(traces, key)) throw traceErrors.RESOURCE_ALREADY_EXISTS__Trace({ id: trace.id });
  const written = await putTexts(tx, trace, tags, metadata);
  await recordTrace(tx, call.jar, 'create', written);
  return written;
}

type SentSpan = Pick<TraceSpan, 'name' | 'type' | 'status' | 'span'>;

/** Spans in the JSON form of OpenTelemetry. */
function readSpans(sent: Request): readonly SentSpan[] {
  const spans = sent.list('spans');
  if (spans.length > MOST_SPANS) throw sent.invalid('spans', spans.length, `A trace has at most ${MOST_SPANS} spans.`);
  return spans.map((span) => {
    const type = span
      .list('attributes')
      .find((attribute) => attribute.text('key') === 'mlflow.spanType')
      ?.member('value')
      ?.text('string_value');
    return omitAbsent({
      name: span.need('name'),
      type: type && plainText(type),
      status: span.member('status')?.text('code'),
      span: span.json,
    });
  });
}

/** Clients send attributes as JSON: the type is `"LLM"`, including the quotes. */
function plainText(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
