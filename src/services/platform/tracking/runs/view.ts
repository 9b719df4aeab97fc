import type { Reader } from '../../../../kernel/store/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import type { MeasuredOn, RunMetric, RunText } from '../collections.ts';
import type { Point } from '../metrics/points.ts';
import { type RunData, readRunData } from './data.ts';
import { type FoundRun, stageOf } from './find.ts';
import { readInputs } from './inputs.ts';

/** Wire form of runs. Empty lists are omitted. */

export function runInfo(found: FoundRun) {
  const { run } = found;
  return omitAbsent({
    run_id: run.id,
    run_uuid: run.id,
    run_name: run.name,
    experiment_id: run.experimentId,
    user_id: run.userId,
    status: run.status,
    start_time: run.startTime,
    end_time: run.endTime,
    artifact_uri: run.artifactUri,
    lifecycle_stage: stageOf(found),
  });
}

/** `model_id`, `dataset_name` and `dataset_digest` of a metric. */
export const measuredOn = ({ modelId, datasetName, datasetDigest }: MeasuredOn = {}) =>
  omitAbsent({ model_id: modelId, dataset_name: datasetName, dataset_digest: datasetDigest });

export const metricView = (name: string, { value, timestamp, step, on }: Point) => ({
  key: name,
  value,
  timestamp,
  step,
  ...measuredOn(on),
});

const textView = ({ name, value }: RunText) => ({ key: name, value });

const listed = <T>(name: string, list: readonly T[]): Readonly<Record<string, readonly T[]>> =>
  list.length === 0 ? {} : { [name]: list };

export const dataView = ({ metrics, params, tags }: RunData) => ({
  ...listed(
    'metrics',
    metrics.map((metric: RunMetric) => metricView(metric.name, metric)),
  ),
  ...listed('params', params.map(textView)),
  ...listed('tags', tags.map(textView)),
});

/** Complete runs, in the given order, with a few queries for all of them. */
export async function runViews(reader: Reader, found: readonly FoundRun[]) {
  const runs = found.map(({ run }) => run);
  const data = await readRunData(reader, runs);
  const inputs = await readInputs(reader, runs);
  return found.map((each) => {
    const { id } = each.run;
    const logged = data.get(id) ?? { metrics: [], params: [], tags: [] };
    const { input, output } = inputs.get(id) ?? { input: {}, output: undefined };
    return { info: runInfo(each), data: dataView(logged), inputs: input, ...(output && { outputs: output }) };
  });
}

export async function runView(reader: Reader, found: FoundRun) {
  const [view] = await runViews(reader, [found]);
  return view as Exclude<typeof view, undefined>;
}
