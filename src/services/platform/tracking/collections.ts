/**
 * The data model of experiment tracking. An experiment may have 500,000 runs, and a run 1,000,000 metric points, so nothing here grows with either:
 *
 * | collection | a document is | key | read by |
 * |---|---|---|---|
 * | `experiments` | an experiment | `<workspace>/<experiment>` | key; name; workspace, stage and creation |
 * | `experimentTags` | a tag of an experiment | `<workspace>/<experiment>/<name>` | prefix of the key; `path` and value |
 * | `trackedRuns` | what a run is, without what was logged to it | `<workspace>/<run>` | key; experiment, stage and start |
 * | `runParams`, `runTags` | a parameter or tag of a run | `<workspace>/<run>/<name>` | `run`; key; `path` and value |
 * | `runMetrics` | the latest value of a metric of a run | `<workspace>/<run>/<name>` | `run`; key; `path` and value |
 * | `metricSegments` | up to 1,000 points of the history of a metric | `<series>/<order of the first>` (`metrics/segments.ts`) | prefix of the key |
 * | `datasets` | a dataset that runs of an experiment were given | `<workspace>/<experiment>/<hash>` | key |
 * | `runDatasets` | that a run was given a dataset | `<workspace>/<run>/<hash>` | `run`; `path` (of the experiment) |
 * | `runModels` | a logged model that a run was given, or made | `<workspace>/<run>/<in or out>/<model>` | `run` |
 *
 * For searches: the key of a value is the key of its run, a slash and the name, so "the value of `acc` of this run" is one look-up by key, and "runs in the
 * order of `acc`" is a walk along the index of `path` and value, `path` being `valuePath(workspace, experiment, name)`. Whether a run is deleted stands in
 * `trackedRuns` and, for all of its runs at once, in the experiment. Texts are compared by `text`; `head` is their beginning, short enough for an index, so that
 * equality asks for both.
 */

import { type Collection, collection, number, set, storable, text } from '../../../kernel/store/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';

/** What is purged is being removed: it is found by nothing but that work. */
export type Stage = 'active' | 'deleted' | 'purged';

export interface Experiment {
  readonly workspaceId: string;
  /** Digits. */
  readonly id: string;
  /** An absolute path of the workspace, without `/Workspace` in front. Deleted experiments keep theirs until they are purged. */
  readonly name: string;
  readonly artifactLocation: string;
  readonly stage: Stage;
  readonly creator: string;
  readonly acl: readonly AclEntry[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt?: number;
  /** Who may read it by the folders above it, as these were when it got its name or its permissions: for lists. */
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
    /** Ascending by this is descending by time, and by id where times are equal. */
    createdBack: number((it) => -it.createdAt),
    updatedAt: number((it) => it.updatedAt),
    readers: set((it) => [...readersOf(it), ...it.folderReaders]),
  },
  indexes: [
    ['workspace', 'name'],
    ['workspace', 'stage', 'createdBack'],
    // Searches that are ordered by an attribute.
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
  /** Of the run itself. All runs of a deleted experiment count as deleted, without being written. */
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
    /** Ascending by this is descending by start, and by run id where starts are equal: the default order of searches. */
    startBack: number((it) => -it.startTime),
    endTime: number((it) => it.endTime),
    artifactUri: text((it) => it.artifactUri),
    deletedAt: number((it) => it.deletedAt),
  },
  indexes: [
    ['experiment', 'stage', 'startBack'],
    ['experiment', 'deletedAt'],
    // Searches that are ordered by an attribute.
    ...['startTime', 'endTime', 'name', 'status', 'userId', 'runId', 'artifactUri'].map((field) => [
      'experiment',
      'stage',
      field,
      'startBack',
    ]),
  ],
});

/** Something with a name that a run has once: a parameter, a tag, the latest value of a metric. */
export interface OfRun {
  readonly workspaceId: string;
  readonly experimentId: string;
  readonly runId: string;
  /** Of the run: searches order by a value and then by this. */
  readonly startTime: number;
  readonly name: string;
}

export const valueKey = (workspaceId: string, runId: string, name: string): string =>
  `${runKey(workspaceId, runId)}/${name}`;

/** What values of one name are found by, among all runs of an experiment. */
export const valuePath = (workspaceId: string, experimentId: string, name: string): string =>
  `${workspaceId}/${experimentId}/${name}`;

const runFields = {
  run: text<OfRun>(({ workspaceId, runId }) => runKey(workspaceId, runId)),
  path: text<OfRun>(({ workspaceId, experimentId, name }) => valuePath(workspaceId, experimentId, name)),
  startBack: number<OfRun>((it) => -it.startTime),
};

/** An index of PostgreSQL takes some 2,700 bytes of a row, and names take up to 1,000 of them twice. */
export const HEAD_CHARACTERS = 64;

/** The beginning of a text by which an index finds it, as columns have it: the cut may go through a character. */
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

/** JSON has no numbers for the words; they are the words of the API. */
export type MetricValue = number | 'NaN' | 'Infinity' | '-Infinity';

/** What a metric was measured on, where the client says so. */
export interface MeasuredOn {
  readonly modelId?: string;
  readonly datasetName?: string;
  readonly datasetDigest?: string;
}

/** The point with the greatest step, time and value of a metric, in this order. */
export interface RunMetric extends OfRun {
  readonly value: MetricValue;
  readonly timestamp: number;
  readonly step: number;
  readonly on?: MeasuredOn;
  /** What the keys of the segments of its history begin with. */
  readonly series: string;
  /** The last segment: what is logged next belongs there as a rule. */
  readonly tail: SegmentTail;
}

export interface SegmentTail {
  readonly key: string;
  readonly count: number;
  /** The last point of the history: points behind it are new, without a look. */
  readonly last: { readonly timestamp: number; readonly step: number; readonly value: MetricValue };
}

/** As a column has it: infinite values are the greatest that there are, NaN is absent. */
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
 * A part of the history of a metric: points in their order (by time, step and value), as columns. Segments of a history do not overlap, and one is found by
 * its key, which has the order of its first point. A run with a million points has some thousands of them.
 */
export interface MetricSegment {
  /** The time of the first point. */
  readonly since: number;
  /** How long after that each point is: short numbers, which are written and read twice as fast as whole times. */
  readonly after: readonly number[];
  readonly steps: readonly number[];
  readonly values: readonly MetricValue[];
  /** By the position of the point, for those of which it is known. */
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
  /** The end of the key of the dataset, and of its own. */
  readonly hash: string;
  readonly name: string;
  readonly digest: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}

/** The tag of an input that says what a dataset was for: `training`. */
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
  /** Of models that came out of a run. */
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
