import { type Collection, type Filter, pagesOf, type Reader } from '../../../../kernel/store/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import {
  type Assessment,
  type OfTrace,
  type Trace,
  traceAssessments,
  traceKey,
  traceMetadata,
  traceSpans,
  traceTags,
} from './collections.ts';

/** Wire forms of traces in both versions of the API, in the given order, with a few queries for all of them. */

type Reading = Pick<Reader, 'query'>;

/** By trace id. */
async function read<T extends OfTrace>(
  reader: Reading,
  from: Collection<T>,
  shown: readonly Trace[],
): Promise<(trace: Trace) => readonly T[]> {
  const values = shown.map(({ workspaceId, id }) => traceKey(workspaceId, id));
  const filter: Filter = { op: 'in', field: 'trace', values };
  const found: T[] = [];
  if (values.length > 0)
    for await (const page of pagesOf(reader, from, { filter, order: [{ field: 'trace' }] }))
      for (const { value } of page) found.push(value);
  const byTrace = Map.groupBy(found, ({ traceId }) => traceId);
  return ({ id }) => byTrace.get(id) ?? [];
}

const entries = (list: readonly { readonly name: string; readonly value: string }[]) =>
  list.length === 0 ? undefined : list.map(({ name, value }) => ({ key: name, value }));

/** Version 2. */
export async function oldViews(reader: Reading, shown: readonly Trace[]) {
  const tags = await read(reader, traceTags, shown);
  const metadata = await read(reader, traceMetadata, shown);
  return shown.map((trace) =>
    omitAbsent({
      request_id: trace.id,
      experiment_id: trace.experimentId,
      timestamp_ms: trace.startedAt,
      execution_time_ms: trace.durationMs,
      status: trace.state,
      request_metadata: entries(metadata(trace)),
      tags: entries(tags(trace)),
    }),
  );
}

const asObject = (list: readonly { readonly name: string; readonly value: string }[]) =>
  Object.fromEntries(list.map(({ name, value }) => [name, value]));

/** Version 3. */
export async function infoViews(reader: Reading, shown: readonly Trace[]) {
  const tags = await read(reader, traceTags, shown);
  const metadata = await read(reader, traceMetadata, shown);
  const assessments = await read(reader, traceAssessments, shown);
  return shown.map((trace) => {
    const said = assessments(trace);
    return omitAbsent({
      trace_id: trace.id,
      client_request_id: trace.clientRequestId,
      trace_location: { type: 'MLFLOW_EXPERIMENT', mlflow_experiment: { experiment_id: trace.experimentId } },
      request_preview: trace.requestPreview,
      response_preview: trace.responsePreview,
      request_time: isoTime(trace.startedAt),
      execution_duration: trace.durationMs === undefined ? undefined : `${trace.durationMs / 1000}s`,
      state: trace.state,
      trace_metadata: asObject(metadata(trace)),
      tags: asObject(tags(trace)),
      assessments: said.length === 0 ? undefined : said.map(assessmentView),
    });
  });
}

/** With spans. */
export async function traceViews(reader: Reading, shown: readonly Trace[]) {
  const infos = await infoViews(reader, shown);
  const spans = await read(reader, traceSpans, shown);
  return shown.map((trace, i) => {
    const own = spans(trace);
    return { trace_info: infos[i], ...(own.length > 0 && { spans: own.map(({ span }) => span) }) };
  });
}

export const assessmentView = (assessment: Assessment) => ({
  assessment_id: assessment.id,
  assessment_name: assessment.name,
  trace_id: assessment.traceId,
  ...assessment.rest,
  create_time: isoTime(assessment.createdAt),
  last_update_time: isoTime(assessment.updatedAt),
  [assessment.kind]: assessment.said,
});
