/**
 * Logged models of experiments. As with runs, what a model is and what was logged to it are documents of their own:
 *
 * | collection | a document is | key |
 * |---|---|---|
 * | `loggedModels` | a model | `<workspace>/<model>` |
 * | `modelParams`, `modelTags` | a parameter or tag | `<workspace>/<model>/<name>` |
 * | `modelMetrics` | the latest value of a metric | `<workspace>/<model>/<series>` |
 *
 * A metric of a model may be measured on several datasets, and searches ask for its value on one of them, on any version of one, or on any. So a value is kept
 * in up to three series (`seriesOf`): each is what the search language calls a name.
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
  /** Deleted models are neither shown nor found, and are purged in the end. */
  readonly stage: Stage;
}

export const modelKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

/** Where its files are in the tree of artifacts. */
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
    /** Ascending by this is descending by creation. */
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
  /** Of the model. */
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
  /** One of these is there for each name and dataset; the others are for searches alone. */
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

/** A dataset as searches name it: without a digest, every version of it; without a name, every dataset and none. */
export interface AskedDataset {
  readonly name?: string | undefined;
  readonly digest?: string | undefined;
}

/** Names of datasets are long, and an index takes only so much: a hash stands for them. No metric has a line feed in its name. */
const hashOf = (dataset: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(dataset)).digest('hex').slice(0, 32);

export const seriesOf = (metric: string, { name, digest }: AskedDataset): string =>
  name === undefined ? metric : `${metric}\n${hashOf([name, digest])}`;

/** The series that is shown: the value on exactly this dataset, or on none. */
export const shownSeries = (metric: string, { datasetName, datasetDigest }: MeasuredOn): string =>
  `${metric}\n${hashOf(['shown', datasetName, datasetDigest])}`;

export const MODEL_COLLECTIONS = [loggedModels, modelParams, modelTags, modelMetrics] as const;
