import { allOf, eq, type Filter } from '../../../../kernel/store/index.ts';
import type { PlatformCall } from '../../jar.ts';
import { comparableValue, type Experiment, experimentKey, valuePath } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { findExperiment } from '../experiments/find.ts';
import { mostResults } from '../paging.ts';
import { Request } from '../request.ts';
import { filterOf } from '../search/compile.ts';
import type { Comparison, OrderKey } from '../search/language.ts';
import { LOGGED_MODELS } from '../search/languages/logged-models.ts';
import { parseFilter } from '../search/parse-filter.ts';
import { parseOrder } from '../search/parse-order.ts';
import { SearchTokens } from '../search/requests.ts';
import { searchPage } from '../search/search.ts';
import type { Searchable, ValueColumn } from '../search/searchable.ts';
import {
  type AskedDataset,
  type LoggedModel,
  loggedModels,
  type ModelMetric,
  type ModelText,
  modelKey,
  modelMetrics,
  modelParams,
  modelTags,
  type OfModel,
  seriesOf,
} from './collections.ts';
import { modelViews } from './view.ts';

const ofModel = {
  thingOf: ({ workspaceId, modelId }: OfModel) => modelKey(workspaceId, modelId),
  tieOf: ({ createdAt }: OfModel) => -createdAt,
};

const textColumn = (collection: typeof modelParams): ValueColumn<ModelText> => ({
  collection,
  type: 'text',
  valueOf: ({ value }) => value,
  ...ofModel,
});

const metricColumn: ValueColumn<ModelMetric> = {
  collection: modelMetrics,
  type: 'number',
  valueOf: ({ value }) => comparableValue(value),
  ...ofModel,
};

export const SEARCHED_MODELS: Searchable<LoggedModel> = {
  collection: loggedModels,
  attributes: {
    name: { field: 'name', of: (model) => model.name },
    model_id: { field: 'modelId', of: (model) => model.id },
    model_type: { field: 'modelType', of: (model) => model.modelType },
    status: { field: 'status', of: (model) => model.status, stored: longStatus },
    source_run_id: { field: 'sourceRunId', of: (model) => model.sourceRunId },
    experiment_id: { field: 'experimentId', of: (model) => model.experimentId },
    creation_timestamp: { field: 'createdAt', of: (model) => model.createdAt },
    last_updated_timestamp: { field: 'updatedAt', of: (model) => model.updatedAt },
  },
  values: { metric: metricColumn, parameter: textColumn(modelParams), tag: textColumn(modelTags) },
  related: {},
  tie: 'createdBack',
  tieOf: ({ createdAt }) => -createdAt,
};

/** Clients of the open-source server send the short form `READY`. */
function longStatus(status: string): string {
  return ['PENDING', 'READY', 'UPLOAD_FAILED'].includes(status) ? `LOGGED_MODEL_${status}` : status;
}

const SIZES = { usual: 50, most: 50 };
const [MOST_EXPERIMENTS, MOST_DATASETS] = [1000, 100];

/** `logged-models/search`. */
export async function searchModels(call: PlatformCall): Promise<object> {
  const { store } = call.jar;
  const request = Request.ofBody(call.body);
  const ids = [...new Set(request.texts('experiment_ids'))];
  if (ids.length === 0) throw request.missing('experiment_ids');
  checkCount('experiment_ids', ids.length, MOST_EXPERIMENTS);
  const experiments: Experiment[] = [];
  for (const id of ids) experiments.push(await findExperiment(store, call, { id, level: 'CAN_READ' }));
  const limit = mostResults(request, SIZES);
  const filter = request.text('filter');
  const datasets = readDatasets(request);
  const { order, clauses } = readOrder(request);
  const tokens = new SearchTokens(call, 'logged-models', [ids, filter ?? '', datasets, clauses]);
  const comparisons = parseFilter(filter, LOGGED_MODELS);
  const after = tokens.placeIn(request);
  const scopes = experiments
    .filter(({ stage }) => stage === 'active')
    .map(({ workspaceId, id }) => ({
      within: allOf(eq('experiment', experimentKey(workspaceId, id)), eq('stage', 'active')),
      path: (name: string) => valuePath(workspaceId, id, name),
    }));
  if (scopes.length === 0) return {};
  const measured = comparisons.filter(({ entity }) => entity === 'metric' && datasets.length > 0);
  const { things, next } = await searchPage(store, SEARCHED_MODELS, {
    scopes,
    comparisons: comparisons.filter((comparison) => !measured.includes(comparison)),
    also: measuredOn(datasets, measured),
    order,
    after,
    limit,
  });
  const models = await modelViews(
    store,
    things.map(({ value }) => value),
  );
  return { ...(models.length > 0 && { models }), ...tokens.next(next) };
}

function checkCount(name: string, count: number, most: number): void {
  if (count > most)
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `The field '${name}' has at most ${most} items, got ${count}.`,
    });
}

function readDatasets(request: Request): readonly AskedDataset[] {
  const datasets = request.list('datasets').map((dataset) => ({
    name: dataset.need('dataset_name'),
    digest: dataset.text('dataset_digest') || undefined,
  }));
  checkCount('datasets', datasets.length, MOST_DATASETS);
  return datasets;
}

/** A comparison of a metric has to hold on one of the datasets; without a comparison, any metric measured on them satisfies the filter. */
function measuredOn(datasets: readonly AskedDataset[], measured: readonly Comparison[]): Filter[] {
  if (datasets.length === 0) return [];
  if (measured.length === 0) {
    const onAny = datasets.map(({ name, digest }) =>
      allOf(eq('datasetName', name!), digest === undefined ? undefined : eq('datasetDigest', digest)),
    );
    const filter: Filter = { op: 'or', args: onAny };
    return [{ op: 'linked', collection: modelMetrics, field: 'model', by: 'key', filter }];
  }
  return measured.map((comparison) => ({
    op: 'or',
    args: datasets.flatMap((dataset) =>
      filterOf(SEARCHED_MODELS, [{ ...comparison, key: seriesOf(comparison.key, dataset) }]),
    ),
  }));
}

/** `{field_name, ascending, dataset_name, dataset_digest}`, ascending by default. */
function readOrder(request: Request): { readonly order: readonly OrderKey[]; readonly clauses: readonly unknown[] } {
  const clauses = request.list('order_by').map((clause) => ({
    field: clause.need('field_name'),
    ascending: clause.flag('ascending') ?? true,
    name: clause.text('dataset_name') || undefined,
    digest: clause.text('dataset_digest') || undefined,
  }));
  const order = parseOrder(
    clauses.map(({ field, ascending }) => `${field} ${ascending ? 'ASC' : 'DESC'}`),
    LOGGED_MODELS,
  );
  return {
    clauses,
    order: order.map((key, i) => {
      const { name, digest } = clauses[i]!;
      if (digest !== undefined && name === undefined)
        throw trackingErrors.INVALID_PARAMETER_VALUE({
          reason: '`dataset_digest` can only be specified if `dataset_name` is also specified.',
        });
      if (key.entity === 'metric') return { ...key, key: seriesOf(key.key, { name, digest }) };
      if (name === undefined) return key;
      throw trackingErrors.INVALID_PARAMETER_VALUE({
        reason: '`dataset_name` and `dataset_digest` can only be specified for metrics.',
      });
    }),
  };
}
