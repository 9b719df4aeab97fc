/**
 * Traces of experiments: the steps of a program that answers one request.
 *
 * | collection | a document is | key |
 * |---|---|---|
 * | `traces` | a trace | `<workspace>/<trace>` |
 * | `traceTags`, `traceMetadata` | a tag or an entry of the metadata | `<workspace>/<trace>/<name>` |
 * | `traceSpans` | a step of the program | `<workspace>/<trace>/<number>` |
 * | `traceAssessments` | an assessment of a trace: feedback, or an expectation | `<workspace>/<trace>/<assessment>` |
 */

import { type Collection, collection, type Json, number, text } from '../../../../kernel/store/index.ts';
import { experimentKey, headOf, valuePath } from '../collections.ts';

export const TRACE_STATES = ['STATE_UNSPECIFIED', 'OK', 'ERROR', 'IN_PROGRESS'] as const;
export type TraceState = (typeof TRACE_STATES)[number];

export interface Trace {
  readonly workspaceId: string;
  readonly experimentId: string;
  /** `tr-` and 32 hexadecimal digits, unless the client chooses the id. */
  readonly id: string;
  readonly clientRequestId?: string;
  readonly startedAt: number;
  readonly durationMs?: number;
  readonly state: TraceState;
  readonly requestPreview?: string;
  readonly responsePreview?: string;
  /** Name, run and prompts, as given by tags and metadata. */
  readonly name?: string;
  readonly runId?: string;
  readonly prompt?: string;
}

export const traceKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

export const endOf = ({ startedAt, durationMs }: Trace): number | undefined =>
  durationMs === undefined ? undefined : startedAt + durationMs;

const ORDERED = ['startedAt', 'duration', 'endedAt', 'state', 'traceId', 'name', 'runId', 'experimentId'];

export const traces = collection<Trace>('platform.traces', {
  fields: {
    experiment: text(({ workspaceId, experimentId }) => experimentKey(workspaceId, experimentId)),
    experimentId: text((it) => it.experimentId),
    traceId: text((it) => it.id),
    clientRequestId: text((it) => it.clientRequestId),
    startedAt: number((it) => it.startedAt),
    /** Ascending order by this is descending order by start. */
    startedBack: number((it) => -it.startedAt),
    duration: number((it) => it.durationMs),
    endedAt: number(endOf),
    state: text((it) => it.state),
    name: text((it) => it.name && headOf(it.name)),
    wholeName: text((it) => it.name),
    runId: text((it) => it.runId),
    prompt: text((it) => it.prompt),
    text: text(({ requestPreview = '', responsePreview = '' }) => `${requestPreview}\n${responsePreview}`),
  },
  indexes: [['experiment', 'startedBack'], ...ORDERED.map((field) => ['experiment', field, 'startedBack'])],
});

export interface OfTrace {
  readonly workspaceId: string;
  readonly experimentId: string;
  readonly traceId: string;
  /** Start of the trace. */
  readonly startedAt: number;
}

export interface TraceText extends OfTrace {
  readonly name: string;
  readonly value: string;
}

const traceFields = {
  trace: text<OfTrace>(({ workspaceId, traceId }) => traceKey(workspaceId, traceId)),
  experiment: text<OfTrace>(({ workspaceId, experimentId }) => experimentKey(workspaceId, experimentId)),
};

const textsOfTraces = (name: string): Collection<TraceText> =>
  collection<TraceText>(name, {
    fields: {
      ...traceFields,
      path: text(({ workspaceId, experimentId, name: key }) => valuePath(workspaceId, experimentId, key)),
      startedBack: number((it) => -it.startedAt),
      head: text((it) => headOf(it.value)),
      text: text((it) => it.value),
    },
    indexes: [['trace'], ['experiment'], ['path', 'head', 'startedBack']],
  });

export const traceTags = textsOfTraces('platform.trace_tags');
export const traceMetadata = textsOfTraces('platform.trace_metadata');

export interface TraceSpan extends OfTrace {
  readonly number: number;
  readonly name: string;
  readonly type?: string;
  readonly status?: string;
  /** As the client sent it. */
  readonly span: Json;
}

export const traceSpans = collection<TraceSpan>('platform.trace_spans', {
  fields: {
    ...traceFields,
    name: text((it) => it.name),
    type: text((it) => it.type),
    status: text((it) => it.status),
    content: text((it) => JSON.stringify(it.span)),
  },
  indexes: [['trace'], ['experiment']],
});

export const ASSESSMENT_KINDS = ['feedback', 'expectation', 'issue'] as const;
export type AssessmentKind = (typeof ASSESSMENT_KINDS)[number];

export interface Assessment extends OfTrace {
  readonly id: string;
  readonly kind: AssessmentKind;
  readonly name: string;
  /** Its value as the client sent it: `{"value": true}`. */
  readonly said: Json;
  readonly rest: Readonly<Record<string, Json>>;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The value that filters compare: a text itself, any other value as JSON. */
export function assessedText({ said }: Pick<Assessment, 'said'>): string | undefined {
  const value = assessedValue(said);
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value);
}

function assessedValue(said: Json): Json | undefined {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return said ?? undefined;
  const { value, issue_id: issue } = said as Readonly<Record<string, Json>>;
  return value ?? issue ?? undefined;
}

export const traceAssessments = collection<Assessment>('platform.trace_assessments', {
  fields: {
    ...traceFields,
    kind: text((it) => it.kind),
    feedbackName: text(({ kind, name }) => (kind === 'feedback' ? name : undefined)),
    expectationName: text(({ kind, name }) => (kind === 'expectation' ? name : undefined)),
    issue: text((it) => (it.kind === 'issue' ? assessedText(it) : undefined)),
    value: text(assessedText),
    number: number(({ said }) => {
      const value = assessedValue(said);
      return typeof value === 'number' ? value : undefined;
    }),
  },
  indexes: [['trace'], ['experiment']],
});

export const TRACE_COLLECTIONS = [traces, traceTags, traceMetadata, traceSpans, traceAssessments] as const;
