import type { Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { takeCount } from '../../limits/take.ts';
import type { TrackedRun } from '../collections.ts';
import { isLater, type Point } from '../metrics/points.ts';
import {
  type LoggedModel,
  loggedModels,
  type ModelMetric,
  modelKey,
  modelMetrics,
  seriesOf,
  shownSeries,
} from './collections.ts';
import { modelNotFound } from './find.ts';

interface Measured extends Point {
  readonly name: string;
}

/** Called in a transaction that has locked the run: adds metrics that were measured on logged models to these models too. */
export async function addModelMetrics(
  tx: Tx,
  jar: Pick<PlatformJar, 'limits'>,
  run: TrackedRun,
  metrics: readonly Measured[],
): Promise<void> {
  const byModel = Map.groupBy(
    metrics.filter(({ on }) => on?.modelId !== undefined),
    ({ on }) => on?.modelId as string,
  );
  // Sorted, to avoid deadlocks.
  for (const id of [...byModel.keys()].sort()) {
    const model = (await tx.get(loggedModels, modelKey(run.workspaceId, id)))?.value;
    if (model?.stage !== 'active' || model.experimentId !== run.experimentId) throw modelNotFound(id);
    await addTo(tx, jar, model, run, byModel.get(id)!);
  }
}

async function addTo(
  tx: Tx,
  jar: Pick<PlatformJar, 'limits'>,
  model: LoggedModel,
  run: TrackedRun,
  metrics: readonly Measured[],
): Promise<void> {
  const latest = new Map<string, ModelMetric>();
  for (const metric of metrics)
    for (const value of valuesOf(model, run, metric)) {
      const known = latest.get(value.series);
      if (!known || isLater(value, known)) latest.set(value.series, value);
    }
  const keyOf = (series: string): string => `${modelKey(model.workspaceId, model.id)}/${series}`;
  const values = [...latest.keys()].map(keyOf);
  const { items } = await tx.query(modelMetrics, { filter: { op: 'in', field: 'key', values }, limit: values.length });
  const before = new Map(items.map(({ value }) => [value.series, value]));
  const fresh = [...latest.values()].filter(({ series, shown }) => shown && !before.has(series)).length;
  if (fresh > 0)
    await takeCount(tx, jar, { row: 'logged-model-metrics', scope: [model.workspaceId, model.id], count: fresh });
  const later = [...latest.values()].filter((value) => {
    const there = before.get(value.series);
    return !there || isLater(value, there);
  });
  await tx.putAll(
    modelMetrics,
    later.map((value) => [keyOf(value.series), value] as const),
  );
}

/** The value in each of its series. */
function* valuesOf(model: LoggedModel, run: TrackedRun, metric: Measured): Generator<ModelMetric> {
  const { workspaceId, experimentId, id: modelId, createdAt } = model;
  const { name, value, timestamp, step, on = {} } = metric;
  const base = { workspaceId, experimentId, modelId, createdAt, name, value, timestamp, step, runId: run.id, on };
  yield { ...base, series: shownSeries(name, on), shown: true };
  yield { ...base, series: seriesOf(name, {}), shown: false };
  const { datasetName, datasetDigest } = on;
  if (datasetName === undefined) return;
  yield { ...base, series: seriesOf(name, { name: datasetName }), shown: false };
  if (datasetDigest !== undefined)
    yield { ...base, series: seriesOf(name, { name: datasetName, digest: datasetDigest }), shown: false };
}
