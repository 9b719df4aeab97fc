import { uuid } from '../../../../kernel/ids/index.ts';
import type { Json, Reader, Tx } from '../../../../kernel/store/index.ts';
import { nameOf } from '../../access/standing.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { checkLength, LONGEST_NAME } from '../names.ts';
import { Request } from '../request.ts';
import {
  ASSESSMENT_KINDS,
  type Assessment,
  type AssessmentKind,
  type Trace,
  traceAssessments,
  traceKey,
} from './collections.ts';
import { traceErrors } from './errors.ts';
import { findTrace, lockTrace } from './find.ts';
import { recordTrace } from './texts.ts';
import { assessmentView } from './view.ts';

/** Members that are stored as they are sent. */
const KEPT = ['source', 'rationale', 'metadata', 'span_id', 'valid', 'overrides'] as const;
const LONGEST_JSON = 100_000;
/** The real limit is not published. */
const MOST_ASSESSMENTS = 1000;

interface SentAssessment {
  readonly kind: AssessmentKind;
  readonly said: Json;
}

function readSaid(sent: Request): SentAssessment | undefined {
  const kinds = ASSESSMENT_KINDS.filter((kind) => sent.has(kind));
  if (kinds.length > 1)
    throw traceErrors.INVALID_PARAMETER_VALUE({ reason: 'An assessment is one of feedback, expectation and issue.' });
  const [kind] = kinds;
  return kind && { kind, said: sent.member(kind)!.json };
}

function readRest(sent: Request): Record<string, Json> {
  const rest: Record<string, Json> = {};
  for (const name of KEPT) {
    const value = sent.value(name);
    if (value !== undefined) rest[name] = value;
  }
  if (JSON.stringify(sent.json).length > LONGEST_JSON)
    throw traceErrors.INVALID_PARAMETER_VALUE({
      reason: `An assessment takes at most ${LONGEST_JSON} characters of JSON.`,
    });
  return rest;
}

function readName(sent: Request): string {
  const name = sent.need('assessment_name');
  checkLength(name, sent.path('assessment_name'), LONGEST_NAME);
  return name;
}

const sentIn = (call: PlatformCall): Request => {
  const request = Request.ofBody(call.body);
  const sent = request.member('assessment');
  if (!sent) throw request.missing('assessment');
  return sent;
};

const keyOf = (trace: Trace, id: string): string => `${traceKey(trace.workspaceId, trace.id)}/${id}`;

export async function createAssessment(call: PlatformCall): Promise<object> {
  const { jar } = call;
  const sent = sentIn(call);
  const name = readName(sent);
  const said = readSaid(sent);
  if (!said) throw sent.missing('feedback');
  const rest = readRest(sent);
  const source = { source_type: 'HUMAN', source_id: nameOf(callerIdentity(call).principal) };
  return jar.store.transact(async (tx) => {
    const trace = await lockTrace(tx, call, String(call.params.trace_id));
    const { workspaceId, experimentId, id: traceId, startedAt } = trace;
    const count = await tx.count(traceAssessments, { prefix: keyOf(trace, '') });
    if (count >= MOST_ASSESSMENTS)
      throw traceErrors.INVALID_PARAMETER_VALUE({ reason: `A trace has at most ${MOST_ASSESSMENTS} assessments.` });
    const id = `a-${uuid().replaceAll('-', '')}`;
    const now = jar.clock.now();
    const assessment: Assessment = {
      ...{ workspaceId, experimentId, traceId, startedAt, id, name, ...said },
      rest: { source, ...rest },
      createdAt: now,
      updatedAt: now,
    };
    await tx.put(traceAssessments, keyOf(trace, id), assessment);
    await recordTrace(tx, jar, 'assess', trace);
    return { assessment: assessmentView(assessment) };
  });
}

async function find(reader: Reader, call: PlatformCall, trace: Trace): Promise<Assessment> {
  const id = String(call.params.assessment_id);
  const found = (await reader.get(traceAssessments, keyOf(trace, id)))?.value;
  if (!found) throw traceErrors.RESOURCE_DOES_NOT_EXIST__Assessment({ assessment: id.slice(0, 100), id: trace.id });
  return found;
}

export async function getAssessment(call: PlatformCall): Promise<object> {
  const { store } = call.jar;
  const { trace } = await findTrace(store, call, String(call.params.trace_id), 'CAN_READ');
  return { assessment: assessmentView(await find(store, call, trace)) };
}

/** Runs `change` in a transaction that has locked the trace. */
const changing = <R>(call: PlatformCall, change: (tx: Tx, trace: Trace, found: Assessment) => Promise<R>): Promise<R> =>
  call.jar.store.transact(async (tx) => {
    const trace = await lockTrace(tx, call, String(call.params.trace_id));
    const result = await change(tx, trace, await find(tx, call, trace));
    await recordTrace(tx, call.jar, 'assess', trace);
    return result;
  });

/** `update_mask` is optional; omitted members keep their values either way. */
export async function updateAssessment(call: PlatformCall): Promise<object> {
  const sent = sentIn(call);
  const said = readSaid(sent);
  const name = sent.has('assessment_name') ? readName(sent) : undefined;
  const rest = readRest(sent);
  return changing(call, async (tx, trace, found) => {
    if (said && said.kind !== found.kind)
      throw traceErrors.INVALID_PARAMETER_VALUE({ reason: `The assessment ${found.id} is of kind ${found.kind}.` });
    const changed = {
      ...found,
      name: name ?? found.name,
      said: said?.said ?? found.said,
      rest: { ...found.rest, ...rest },
      updatedAt: call.jar.clock.now(),
    };
    await tx.put(traceAssessments, keyOf(trace, found.id), changed);
    return { assessment: assessmentView(changed) };
  });
}

export const deleteAssessment = async (call: PlatformCall): Promise<object> => {
  await changing(call, (tx, trace, { id }) => tx.delete(traceAssessments, keyOf(trace, id)));
  return {};
};
