import { allOf, eq } from '../../../../kernel/store/index.ts';
import type { PlatformCall } from '../../jar.ts';
import {
  comparableValue,
  type Experiment,
  experimentKey,
  type OfRun,
  type RunMetric,
  type RunText,
  runDatasets,
  runKey,
  runMetrics,
  runParams,
  runTags,
  type Stage,
  type TrackedRun,
  trackedRuns,
  valuePath,
} from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { findExperiment } from '../experiments/find.ts';
import { STAGES, type ViewType, viewTypeIn } from '../experiments/read.ts';
import { mostResults } from '../paging.ts';
import { Request } from '../request.ts';
import { runViews } from '../runs/view.ts';
import { RUNS } from './languages/runs.ts';
import { parseFilter } from './parse-filter.ts';
import { parseOrder } from './parse-order.ts';
import { SearchTokens } from './requests.ts';
import { searchPage } from './search.ts';
import type { Scope, Searchable, ValueColumn } from './searchable.ts';

const ofRun = {
  thingOf: ({ workspaceId, runId }: OfRun) => runKey(workspaceId, runId),
  tieOf: ({ startTime }: OfRun) => -startTime,
};

const textColumn = (collection: typeof runParams): ValueColumn<RunText> => ({
  collection,
  type: 'text',
  valueOf: ({ value }) => value,
  ...ofRun,
});

const metricColumn: ValueColumn<RunMetric> = {
  collection: runMetrics,
  type: 'number',
  valueOf: ({ value }) => comparableValue(value),
  ...ofRun,
};

export const SEARCHED_RUNS: Searchable<TrackedRun> = {
  collection: trackedRuns,
  attributes: {
    run_id: { field: 'runId', of: (run) => run.id },
    run_name: { field: 'name', of: (run) => run.name },
    user_id: { field: 'userId', of: (run) => run.userId },
    status: { field: 'status', of: (run) => run.status },
    start_time: { field: 'startTime', of: (run) => run.startTime },
    end_time: { field: 'endTime', of: (run) => run.endTime },
    artifact_uri: { field: 'artifactUri', of: (run) => run.artifactUri },
  },
  values: { metric: metricColumn, parameter: textColumn(runParams), tag: textColumn(runTags) },
  related: {
    dataset: {
      collection: runDatasets,
      by: 'run',
      fields: { name: 'name', digest: 'digest', context: 'context' },
    },
  },
  tie: 'startBack',
  tieOf: ({ startTime }) => -startTime,
};

const SIZES = { usual: 1000, most: 50_000 };
/** The real limit is not published; the results of all experiments are merged. */
const MOST_EXPERIMENTS = 1000;

/** `runs/search`. */
export async function searchRuns(call: PlatformCall): Promise<object> {
  const { store } = call.jar;
  const request = Request.of(call);
  const ids = [...new Set(request.texts('experiment_ids'))];
  if (ids.length === 0) throw request.missing('experiment_ids');
  if (ids.length > MOST_EXPERIMENTS)
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `A search is over at most ${MOST_EXPERIMENTS} experiments, got ${ids.length}.`,
    });
  const experiments = new Map<string, Experiment>();
  for (const id of ids) experiments.set(id, await findExperiment(store, call, { id, level: 'CAN_READ' }));
  const view = viewTypeIn(request, 'run_view_type');
  const limit = mostResults(request, SIZES);
  const filter = request.text('filter');
  const orderBy = request.texts('order_by');
  const tokens = new SearchTokens(call, 'runs', [ids, filter ?? '', view, orderBy]);
  const comparisons = parseFilter(filter, RUNS);
  const order = parseOrder(orderBy, RUNS);
  const after = tokens.placeIn(request);
  const scopes = [...experiments.values()].flatMap((experiment) => scopesOf(experiment, view));
  if (scopes.length === 0) return {};
  const { things, next } = await searchPage(store, SEARCHED_RUNS, { scopes, comparisons, order, after, limit });
  const found = things.map(({ value: run }) => ({ run, experiment: experiments.get(run.experimentId)! }));
  const runs = await runViews(store, found);
  return { ...(runs.length > 0 && { runs }), ...tokens.next(next) };
}

/** All runs of a deleted experiment are deleted, whatever their own stage. */
function scopesOf({ workspaceId, id, stage: ofExperiment }: Experiment, view: ViewType): Scope[] {
  const wanted = STAGES[view];
  if (ofExperiment === 'active') return wanted.map((stage) => runScope(workspaceId, id, stage));
  if (!wanted.includes('deleted')) return [];
  return (['active', 'deleted'] as const).map((stage) => runScope(workspaceId, id, stage));
}

export const runScope = (workspaceId: string, experimentId: string, stage: Stage): Scope => ({
  within: allOf(eq('experiment', experimentKey(workspaceId, experimentId)), eq('stage', stage)),
  path: (name) => valuePath(workspaceId, experimentId, name),
});
