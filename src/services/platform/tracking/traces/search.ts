import { eq } from '../../../../kernel/store/index.ts';
import type { PlatformCall } from '../../jar.ts';
import { type Experiment, experimentKey, headOf, valuePath } from '../collections.ts';
import { findExperiment } from '../experiments/find.ts';
import { mostResults } from '../paging.ts';
import { Request } from '../request.ts';
import { TRACES } from '../search/languages/traces.ts';
import { parseFilter } from '../search/parse-filter.ts';
import { parseOrder } from '../search/parse-order.ts';
import { SearchTokens } from '../search/requests.ts';
import { searchPage } from '../search/search.ts';
import type { Searchable, ValueColumn } from '../search/searchable.ts';
import {
  endOf,
  type Trace,
  type TraceText,
  traceAssessments,
  traceKey,
  traceMetadata,
  traceSpans,
  traces,
  traceTags,
} from './collections.ts';
import { traceErrors } from './errors.ts';
import { infoViews, oldViews } from './view.ts';

const textColumn = (collection: typeof traceTags): ValueColumn<TraceText> => ({
  collection,
  type: 'text',
  valueOf: ({ value }) => value,
  thingOf: ({ workspaceId, traceId }) => traceKey(workspaceId, traceId),
  tieOf: ({ startedAt }) => -startedAt,
});

const assessed = (name: string) => ({
  collection: traceAssessments,
  by: 'trace',
  fields: {},
  named: { name, text: 'value', number: 'number' },
});

export const SEARCHED_TRACES: Searchable<Trace> = {
  collection: traces,
  attributes: {
    request_id: { field: 'traceId', of: (trace) => trace.id },
    timestamp: { field: 'startedAt', of: (trace) => trace.startedAt },
    execution_time: { field: 'duration', of: (trace) => trace.durationMs },
    end_time: { field: 'endedAt', of: endOf },
    status: { field: 'state', of: (trace) => trace.state },
    client_request_id: { field: 'clientRequestId' },
    name: { field: 'wholeName', ordered: 'name', of: (trace) => trace.name && headOf(trace.name) },
    run_id: { field: 'runId', of: (trace) => trace.runId },
    prompt: { field: 'prompt' },
    text: { field: 'text' },
    experiment_id: { field: 'experimentId', of: (trace) => trace.experimentId },
  },
  values: { tag: textColumn(traceTags), request_metadata: textColumn(traceMetadata) },
  related: {
    span: {
      collection: traceSpans,
      by: 'trace',
      fields: { name: 'name', type: 'type', status: 'status', content: 'content' },
    },
    feedback: assessed('feedbackName'),
    expectation: assessed('expectationName'),
    issue: { collection: traceAssessments, by: 'trace', fields: { id: 'issue' } },
  },
  tie: 'startedBack',
  tieOf: ({ startedAt }) => -startedAt,
};

const SIZES = { usual: 100, most: 500 };
const MOST_EXPERIMENTS = 100;

async function search(call: PlatformCall, request: Request, ids: readonly string[]) {
  const { store } = call.jar;
  const experiments: Experiment[] = [];
  if (ids.length > MOST_EXPERIMENTS)
    throw traceErrors.INVALID_PARAMETER_VALUE({
      reason: `A search is over at most ${MOST_EXPERIMENTS} experiments, got ${ids.length}.`,
    });
  for (const id of ids) experiments.push(await findExperiment(store, call, { id, level: 'CAN_READ' }));
  const limit = mostResults(request, SIZES);
  const filter = request.text('filter');
  const orderBy = request.texts('order_by');
  const tokens = new SearchTokens(call, 'traces', [ids, filter ?? '', orderBy]);
  const comparisons = parseFilter(filter, TRACES);
  const order = parseOrder(orderBy, TRACES);
  const after = tokens.placeIn(request);
  const scopes = experiments.map(({ workspaceId, id }) => ({
    within: eq('experiment', experimentKey(workspaceId, id)),
    path: (name: string) => valuePath(workspaceId, id, name),
  }));
  const { things, next } = await searchPage(store, SEARCHED_TRACES, { scopes, comparisons, order, after, limit });
  return { found: things.map(({ value }) => value), token: tokens.next(next) };
}

/** `GET traces` of version 2. */
export async function searchVersion2(call: PlatformCall): Promise<object> {
  const request = new Request(call.query);
  const ids = [...new Set(request.texts('experiment_ids'))];
  if (ids.length === 0) throw request.missing('experiment_ids');
  const { found, token } = await search(call, request, ids);
  return { ...(found.length > 0 && { traces: await oldViews(call.jar.store, found) }), ...token };
}

/** `POST traces/search` of version 3. */
export async function searchTraces(call: PlatformCall): Promise<object> {
  const request = Request.ofBody(call.body);
  const ids = new Set(
    request.list('locations').map((location) => {
      const type = location.text('type') ?? 'MLFLOW_EXPERIMENT';
      if (type !== 'MLFLOW_EXPERIMENT')
        throw location.invalid('type', type, 'Traces are stored in experiments: MLFLOW_EXPERIMENT.');
      const experiment = location.member('mlflow_experiment');
      if (!experiment) throw location.missing('mlflow_experiment');
      return experiment.need('experiment_id');
    }),
  );
  if (ids.size === 0) throw request.missing('locations');
  const { found, token } = await search(call, request, [...ids]);
  return { ...(found.length > 0 && { traces: await infoViews(call.jar.store, found) }), ...token };
}
