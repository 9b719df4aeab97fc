import { allOf, type Collection, eq, type Filter, pagesOf, type Reader } from '../../../../kernel/store/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import { metricView } from '../runs/view.ts';
import {
  type LoggedModel,
  type ModelMetric,
  type ModelText,
  modelKey,
  modelMetrics,
  modelParams,
  modelTags,
  type OfModel,
} from './collections.ts';

/** Wire form of models, in the given order, with a few queries for all of them. Empty lists are omitted. */
export async function modelViews(reader: Pick<Reader, 'query'>, models: readonly LoggedModel[]) {
  const values = models.map(({ workspaceId, id }) => modelKey(workspaceId, id));
  const ofModels: Filter = { op: 'in', field: 'model', values };
  const params = await read(reader, modelParams, ofModels);
  const tags = await read(reader, modelTags, ofModels);
  const metrics = await read(reader, modelMetrics, allOf(ofModels, eq('shown', 'yes')));
  return models.map((model) => ({
    info: omitAbsent({
      model_id: model.id,
      experiment_id: model.experimentId,
      name: model.name,
      creation_timestamp_ms: model.createdAt,
      last_updated_timestamp_ms: model.updatedAt,
      artifact_uri: model.artifactUri,
      status: model.status,
      // Clients expect a number. Earlier releases stored the name.
      creator_id: /^\d+$/.test(model.creator) ? Number(model.creator) : undefined,
      source_run_id: model.sourceRunId,
      model_type: model.modelType,
      tags: tags.get(model.id)?.map(textView),
    }),
    data: omitAbsent({
      params: params.get(model.id)?.map(textView),
      metrics: metrics.get(model.id)?.map(modelMetricView),
    }),
  }));
}

const textView = ({ name, value }: ModelText) => ({ key: name, value });

const modelMetricView = (metric: ModelMetric) => ({
  ...metricView(metric.name, metric),
  run_id: metric.runId,
});

/** By the id of the model. */
async function read<T extends OfModel>(
  reader: Pick<Reader, 'query'>,
  from: Collection<T>,
  filter: Filter,
): Promise<ReadonlyMap<string, T[]>> {
  const found = new Map<string, T[]>();
  for await (const page of pagesOf(reader, from, { filter, order: [{ field: 'model' }] })) {
    for (const { value } of page) {
      const known = found.get(value.modelId);
      if (known) known.push(value);
      else found.set(value.modelId, [value]);
    }
  }
  return found;
}

export async function modelView(reader: Pick<Reader, 'query'>, model: LoggedModel) {
  const [view] = await modelViews(reader, [model]);
  return { model: view };
}
