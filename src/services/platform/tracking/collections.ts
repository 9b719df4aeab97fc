/**
 * The data model of experiment tracking. An experiment may have 500,000 runs, and a run 1,000,000 metric points, so no document grows with
 * either:
 *
 * | collection | a document is | key | read by |
 * |---|---|---|---|
 * | `experiments` | an experiment | `<workspace>/<experiment>` | key; name; workspace, stage and creation |
 * | `experimentTags` | a tag of an experiment | `<workspace>/<experiment>/<name>` | prefix of the key; `path` and value |
 * | `trackedRuns` | a run, without its logged values | `<workspace>/<run>` | key; experiment, stage and start |
 * | `runParams`, `runTags` | a parameter or tag of a run | `<workspace>/<run>/<name>` | `run`; key; `path` and value |
 * | `runMetrics` | the latest value of a metric of a run | `<workspace>/<run>/<name>` | `run`; key; `path` and value |
 * | `metricSegments` | up to 1,000 points of the history of a metric | `<series>/<sort key of first point>` | prefix of the key |
 * | `datasets` | an input dataset of runs of an experiment | `<workspace>/<experiment>/<hash>` | key |
 * | `runDatasets` | the use of a dataset as an input of a run | `<workspace>/<run>/<hash>` | `run`; `path` (of the experiment) |
 * | `runModels` | a logged model that is an input or output of a run | `<workspace>/<run>/<in or out>/<model>` | `run` |
 *
 * For searches: the key of a value is the key of its run, a slash and the name, so "the value of `acc` of this run" is one lookup by key,
 * and "runs in the order of `acc`" is a walk along the index of `path` and value; `path` is `valuePath(workspace, experiment, name)`.
 * Whether a run is deleted is stored in `trackedRuns` and, for all of its runs at once, in the experiment. Texts are compared by `text`;
 * `head` is their beginning, short enough for an index, so that equality compares both.
 */

import { type Collection, collection, number, set, storable, text } from '../../../kernel/store/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';

/** A purged document is being removed: only the removal work finds it. */
export type Stage = 'active' | 'deleted' | 'purged';

export interface Experiment {
  readonly workspaceId: string;
  /** Digits. */
  readonly id: string;
  /** An absolute path of the workspace, without the prefix `/Workspace`. Deleted experiments keep their names until they are purged. */
  readonly name: string;
  readonly artifactLocation: string;
  readonly stage: Stage;
  readonly creator: string;
  readonly acl: readonly AclEntry[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt?: number;
  /** Principals that may read it through its parent folders, computed when it got its name or its permissions. For lists. */
  readonly folderReaders: readonly string[];
}

export const experimentKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

export const experiments = collection<Experiment>('platform.experiments', {
  fields: {
    workspace: text((it) => it.workspaceId),
    name: text((it) => (it.stage === 'purged' ? undefined : it.name)),
    experimentId: text((it) => it.id),
    stage: text((it) => it.stage),
    createdAt: number((it) => it.createdAt),
    /** Ascending order by this is descending order by time, with ascending ids as the tie-breaker. */
    createdBack: number((it) => -it.createdAt),
    updatedAt: number((it) => it.updatedAt),
    readers: set((it) => [...readersOf(it), ...it.folderReaders]),
  },
  indexes: [
    ['workspace', 'name'],
    ['workspace', 'stage', 'createdBack'],
    // For searches that are ordered by an attribute.
    ...['name', 'experimentId', 'createdAt', 'updatedAt'].map((field) => ['workspace', 'stage', field, 'createdBack']),
  ],
});

export const RUN_STATUSES = ['RUNNING', 'SCHEDULED', 'FINISHED', 'FAILED', 'KILLED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface TrackedRun {
  readonly workspaceId: string;
  readonly experimentId: string;
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly status: RunStatus;
  readonly startTime: number;
  readonly endTime?: number;
  readonly artifactUri: string;
  /** Stage of the run itself. All runs of a deleted experiment count as deleted without being written. */
  readonly stage: Stage;
  readonly deletedAt?: number;
}

export const runKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

export const trackedRuns = collection<TrackedRun>('platform.tracked_runs', {
  fields: {
    experiment: text(({ workspaceId, experimentId }) => experimentKey(workspaceId, experimentId)),
    stage: text((it) => it.stage),
    runId: text((it) => it.id),
    name: text((it) => it.name),
    userId: text((it) => it.userId),
    status: text((it) => it.status),
    startTime: number((it) => it.startTime),
    /** Ascending order by this is descending order by start, with ascending run ids as the tie-breaker: the default order of searches. */
    startBack: number((it) => -it.startTime),
    endTime: number((it) => it.endTime),
    artifactUri: text((it) => it.artifactUri),
    deletedAt: number((it) => it.deletedAt),
  },
  indexes: [
    ['experiment', 'stage', 'startBack'],
    ['experiment', 'deletedAt'],
    // For searches that are ordered by an attribute.
    ...['startTime', 'endTime', 'name', 'status', 'userId', 'runId', 'artifactUri'].map((field) => [
      'experiment',
      'stage',
      field,
      'startBack',
    ]),
  ],
});

/** A named value that is unique within a run: a parameter, a tag, the latest value of a metric. */
export interface OfRun {
  readonly workspaceId: string;
  readonly experimentId: string;
  readonly runId: string;
  /** Start of the run: searches order by a value and then by this. */
  readonly startTime: number;
  readonly name: string;
}

export const valueKey = (workspaceId: string, runId: string, name: string): string =>
  `${runKey(workspaceId, runId)}/${name}`;

/** Index value that finds the values of one name among all runs of an experiment. */
export const valuePath = (workspaceId: string, experimentId: string, name: string): string =>
  `${workspaceId}/${experimentId}/${name}`;

const runFields = {
  run: text<OfRun>(({ workspaceId, runId }) => runKey(workspaceId, runId)),
  path: text<OfRun>(({ workspaceId, experimentId, name }) => valuePath(workspaceId, experimentId, name)),
  startBack: number<OfRun>((it) => -it.startTime),
};

/** An index row of PostgreSQL has at most about 2,700 bytes, and names take up to 1,000 of them twice. */
export const HEAD_CHARACTERS = 64;

/** The prefix of a text for an index, in the form of columns: the cut may split a character. */
export const headOf = (value: string): string => storable(value.slice(0, HEAD_CHARACTERS));

export interface RunText extends OfRun {
  readonly value: string;
}

const textsOfRuns = (name: string): Collection<RunText> =>
  collection<RunText>(name, {
    fields: { ...runFields, head: text((it) => headOf(it.value)), text: text((it) => it.value) },
    indexes: [['run'], ['path', 'head', 'startBack']],
  });

export const runParams = textsOfRuns('platform.run_params');
export const runTags = textsOfRuns('platform.run_tags');

/** JSON has no numbers for these values; the words are those of the API. */
export type MetricValue = number | 'NaN' | 'Infinity' | '-Infinity';

/** Model and dataset that a metric was measured on, if the client sends them. */
export interface MeasuredOn {
  readonly modelId?: string;
  readonly datasetName?: string;
  readonly datasetDigest?: string;
}

/** The latest point of a metric: the one with the greatest step, then time, then value. */
export interface RunMetric extends OfRun {
  readonly value: MetricValue;
  readonly timestamp: number;
  readonly step: number;
  readonly on?: MeasuredOn;
  /** Prefix of the keys of the segments of its history. */
  readonly series: string;
  /** The last segment, to which new points usually belong. */
  readonly tail: SegmentTail;
}

export interface SegmentTail {
  readonly key: string;
  readonly count: number;
  /** The last point of the history: points after it are new, which saves a query. */
  readonly last: { readonly timestamp: number; readonly step: number; readonly value: MetricValue };
}

/** The value in a column: infinite values become the largest finite ones, NaN is absent. */
export function comparableValue(value: MetricValue): number | undefined {
  if (value === 'NaN') return undefined;
  if (value === 'Infinity') return Number.MAX_VALUE;
  return value === '-Infinity' ? -Number.MAX_VALUE : value;
}

export const runMetrics = collection<RunMetric>('platform.run_metrics', {
  fields: { ...runFields, value: number((it) => comparableValue(it.value)) },
  indexes: [['run'], ['path', 'value', 'startBack']],
});

/**
 * A part of the history of a metric: points in order (by time, step and value), stored as columns. Segments of a history do not overlap,
 * and their keys contain the sort key of their first point. A run with a million points has some thousands of segments.
 */
export interface MetricSegment {
  /** The time of the first point. */
  readonly since: number;
  /** Milliseconds of each point after `since`: short numbers, which are written and read twice as fast as whole times. */
  readonly after: readonly number[];
  readonly steps: readonly number[];
  readonly values: readonly MetricValue[];
  /** By the index of the point, for points with such data. */
  readonly on?: Readonly<Record<string, MeasuredOn>>;
}

export const metricSegments = collection<MetricSegment>('platform.metric_segments', { wide: true });

export interface Dataset {
  readonly name: string;
  readonly digest: string;
  readonly source_type: string;
  readonly source: string;
  readonly schema?: string;
  readonly profile?: string;
}

export const datasets = collection<Dataset>('platform.tracked_datasets', { wide: true });

export interface RunDataset {
  readonly workspaceId: string;
  readonly experimentId: string;
  readonly runId: string;
  /** Last part of the key of the dataset, and of its own key. */
  readonly hash: string;
  readonly name: string;
  readonly digest: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}

/** The tag of an input that names the purpose of a dataset, such as `training`. */
const CONTEXT_TAG = 'mlflow.data.context';

export const runDatasets = collection<RunDataset>('platform.run_datasets', {
  fields: {
    run: text(({ workspaceId, runId }) => runKey(workspaceId, runId)),
    experiment: text(({ workspaceId, experimentId }) => experimentKey(workspaceId, experimentId)),
    name: text((it) => it.name),
    digest: text((it) => it.digest),
    context: text((it) => it.tags.find(({ key }) => key === CONTEXT_TAG)?.value),
  },
  indexes: [['run'], ['experiment']],
});

export interface RunModel {
  readonly workspaceId: string;
  readonly runId: string;
  readonly direction: 'in' | 'out';
  readonly modelId: string;
  /** Only for models that a run produced. */
  readonly step?: number;
}

export const runModels = collection<RunModel>('platform.run_models', {
  fields: { run: text(({ workspaceId, runId }) => runKey(workspaceId, runId)) },
  indexes: [['run']],
});

export interface ExperimentTag {
  readonly workspaceId: string;
  readonly experimentId: string;
  readonly name: string;
  readonly value: string;
}

export const experimentTagKey = (workspaceId: string, experimentId: string, name: string): string =>
  `${experimentKey(workspaceId, experimentId)}/${name}`;

export const experimentTags = collection<ExperimentTag>('platform.experiment_tags', {
  fields: {
    experiment: text(({ workspaceId, experimentId }) => experimentKey(workspaceId, experimentId)),
    path: text(({ workspaceId, name }) => `${workspaceId}/${name}`),
    head: text((it) => headOf(it.value)),
    text: text((it) => it.value),
  },
  indexes: [['experiment'], ['path', 'head']],
});

export const TRACKING_COLLECTIONS = [
  experiments,
  experimentTags,
  trackedRuns,
  runParams,
  runTags,
  runMetrics,
  metricSegments,
  datasets,
  runDatasets,
  runModels,
] as const;
