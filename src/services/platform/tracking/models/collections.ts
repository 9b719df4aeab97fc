/**
 * Logged models of experiments. As with runs, a model and its logged values are separate documents:
 *
 * | collection | a document is | key |
 * |---|---|---|
 * | `loggedModels` | a model | `<workspace>/<model>` |
 * | `modelParams`, `modelTags` | a parameter or tag | `<workspace>/<model>/<name>` |
 * | `modelMetrics` | the latest value of a metric | `<workspace>/<model>/<series>` |
 *
 * A metric of a model may be measured on several datasets, and searches ask for its value on one of them, on any version of one, or on any.
 * So a value is stored in up to three series (`seriesOf`), each of which is a name in the search language.
 */

import { createHash } from 'node:crypto';
import { type Collection, collection, number, text } from '../../../../kernel/store/index.ts';
import {
  comparableValue,
  experimentKey,
  headOf,
  type MeasuredOn,
  type MetricValue,
  type Stage,
  valuePath,
} from '../collections.ts';

export const MODEL_STATUSES = ['LOGGED_MODEL_PENDING', 'LOGGED_MODEL_READY', 'LOGGED_MODEL_UPLOAD_FAILED'] as const;
export type ModelStatus = (typeof MODEL_STATUSES)[number];

export interface LoggedModel {
  readonly workspaceId: string;
  readonly experimentId: string;
  /** `m-` and 32 hexadecimal digits. */
  readonly id: string;
  readonly name: string;
  readonly modelType?: string;
  readonly sourceRunId?: string;
  readonly status: ModelStatus;
  /** The id of a principal. */
  readonly creator: string;
  readonly artifactUri: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Deleted models are neither shown nor found, and are eventually purged. */
  readonly stage: Stage;
}

export const modelKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

/** Directory of its files in the artifact tree. */
export const modelRoot = ({ experimentId, id }: Pick<LoggedModel, 'experimentId' | 'id'>): readonly string[] => [
  experimentId,
  'models',
  id,
];

const ORDERED = ['modelId', 'name', 'modelType', 'status', 'sourceRunId', 'experimentId', 'createdAt', 'updatedAt'];

export const loggedModels = collection<LoggedModel>('platform.logged_models', {
  fields: {
    experiment: text(({ workspaceId, experimentId }) => experimentKey(workspaceId, experimentId)),
    stage: text((it) => it.stage),
    modelId: text((it) => it.id),
    name: text((it) => it.name),
    modelType: text((it) => it.modelType),
    status: text((it) => it.status),
    sourceRunId: text((it) => it.sourceRunId),
    experimentId: text((it) => it.experimentId),
    createdAt: number((it) => it.createdAt),
    /** Ascending order by this is descending order by creation. */
    createdBack: number((it) => -it.createdAt),
    updatedAt: number((it) => it.updatedAt),
  },
  indexes: [
    ['experiment', 'stage', 'createdBack'],
    ...ORDERED.map((field) => ['experiment', 'stage', field, 'createdBack']),
  ],
});

export interface OfModel {
  readonly workspaceId: string;
  readonly experimentId: string;
  readonly modelId: string;
  /** Creation time of the model. */
  readonly createdAt: number;
  readonly name: string;
}

const modelFields = {
  model: text<OfModel>(({ workspaceId, modelId }) => modelKey(workspaceId, modelId)),
  experiment: text<OfModel>(({ workspaceId, experimentId }) => experimentKey(workspaceId, experimentId)),
  createdBack: number<OfModel>((it) => -it.createdAt),
};

export interface ModelText extends OfModel {
  readonly value: string;
}

const textsOfModels = (name: string): Collection<ModelText> =>
  collection<ModelText>(name, {
    fields: {
      ...modelFields,
      path: text(({ workspaceId, experimentId, name: key }) => valuePath(workspaceId, experimentId, key)),
      head: text((it) => headOf(it.value)),
      text: text((it) => it.value),
    },
    indexes: [['model'], ['experiment'], ['path', 'head', 'createdBack']],
  });

export const modelParams = textsOfModels('platform.logged_model_params');
export const modelTags = textsOfModels('platform.logged_model_tags');

export interface ModelMetric extends OfModel {
  readonly value: MetricValue;
  readonly timestamp: number;
  readonly step: number;
  readonly runId: string;
  readonly on: MeasuredOn;
  readonly series: string;
  /** True for one document per name and dataset; the others exist only for searches. */
  readonly shown: boolean;
}

export const modelMetrics = collection<ModelMetric>('platform.logged_model_metrics', {
  fields: {
    ...modelFields,
    shown: text((it) => (it.shown ? 'yes' : 'no')),
    path: text(({ workspaceId, experimentId, series }) => valuePath(workspaceId, experimentId, series)),
    value: number((it) => comparableValue(it.value)),
    datasetName: text((it) => it.on.datasetName),
    datasetDigest: text((it) => it.on.datasetDigest),
  },
  indexes: [['model', 'shown'], ['experiment'], ['path', 'value', 'createdBack']],
});

/** A dataset in a search: without a digest, every version of it; without a name, every dataset and none. */
export interface AskedDataset {
  readonly name?: string | undefined;
  readonly digest?: string | undefined;
}

/** Names of datasets are too long for an index, so they are hashed. The separator is a line feed, which no metric name contains. */
const hashOf = (dataset: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(dataset)).digest('hex').slice(0, 32);

export const seriesOf = (metric: string, { name, digest }: AskedDataset): string =>
  name === undefined ? metric : `${metric}\n${hashOf([name, digest])}`;

/** The series that is shown: the value on exactly this dataset, or without a dataset. */
export const shownSeries = (metric: string, { datasetName, datasetDigest }: MeasuredOn): string =>
  `${metric}\n${hashOf(['shown', datasetName, datasetDigest])}`;

export const MODEL_COLLECTIONS = [loggedModels, modelParams, modelTags, modelMetrics] as const;
