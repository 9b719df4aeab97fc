import { useMemo } from 'react';
import { useAddressParam } from '../../../shared/address.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { SeriesChart } from '../../../shared/chart/series-chart.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Select } from '../../../shared/ui/field.tsx';
import { Row, Soft } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { type Platform, usePlatform } from '../api.ts';
import { finite, type Metric, MLFLOW, runName, shownValue, TRACKING_CHANGE, type TrackedRun } from './api.ts';
import { Differences } from './differences.tsx';
import { namesOf } from './run-columns.tsx';

interface Props {
  readonly runs: readonly TrackedRun[];
  readonly chosen: readonly string[];
  readonly clear: () => void;
}

/** Before anybody has chosen, the newest runs are shown. */
const NEWEST = 5;

const AXES = [
  { value: 'step', label: 'by step' },
  { value: 'time', label: 'by time' },
] as const;

/** One metric of several runs as curves, and what differs between these runs. */
export function Curves({ runs, chosen, clear }: Props) {
  const platform = usePlatform();
  const [metricParam, setMetric] = useAddressParam('metric');
  const [axisParam, setAxis] = useAddressParam('axis');
  const picked = runs.filter(({ info }) => chosen.includes(info.run_id));
  const shown = picked.length > 0 ? picked : runs.slice(0, NEWEST);
  const names = namesOf(shown, ({ data }) => data.metrics);
  const metric = metricParam ?? names[0];
  const axis = axisParam === 'time' ? 'time' : 'step';
  const ids = shown.map(({ info }) => info.run_id);
  const history = useData(
    [platform.key, 'curves', metric, ids],
    (signal) => readHistory(platform, ids, metric ?? '', signal),
    { on: TRACKING_CHANGE, enabled: metric !== undefined && ids.length > 0, keepPrevious: true },
  );
  const curves = useMemo(() => aligned(history.data ?? [], axis), [history.data, axis]);
  const labels = uniqueNames(shown);
  if (metric === undefined) return null;
  return (
    <>
      <Row align="end">
        <Select
          label="Metric"
          hideLabel
          value={metric}
          onChange={setMetric}
          choices={[...new Set([...names, metric])].map((value) => ({ value, label: value }))}
        />
        <Select
          label="Axis"
          hideLabel
          value={axis}
          onChange={(value) => setAxis(value === 'step' ? undefined : value)}
          choices={AXES}
        />
        {picked.length > 0 ? (
          <Button onPress={clear}>Compare none</Button>
        ) : (
          <Soft>The newest runs; choose some below to compare them.</Soft>
        )}
      </Row>
      <FailureNotice failure={history.failure} what="The metric" />
      <SeriesChart
        label={`${metric} of ${shown.length === 1 ? 'one run' : `${shown.length} runs`}`}
        at={curves.at}
        series={shown.map(({ info }) => ({
          label: labels.get(info.run_id) ?? info.run_id,
          values: curves.values.get(info.run_id) ?? curves.at.map(() => null),
        }))}
        format={shownValue}
        isTime={axis === 'time'}
        height={200}
      />
      {picked.length > 1 && <Differences runs={picked} labels={labels} />}
    </>
  );
}

/** Points of the metric at up to so many steps. */
const STEPS = 400;

async function readHistory(
  platform: Platform,
  ids: readonly string[],
  metric: string,
  signal: AbortSignal,
): Promise<readonly Metric[]> {
  const query = new URLSearchParams({ metric_key: metric, max_results: String(STEPS) });
  for (const id of ids) query.append('run_ids', id);
  const path = `${MLFLOW}/metrics/get-history-bulk-interval?${query}`;
  const { metrics = [] } = await platform.get<{ readonly metrics?: readonly Metric[] }>(path, {}, signal);
  return metrics;
}

/** The points of all runs on one axis: a value or null for each run at each place. */
function aligned(points: readonly Metric[], axis: 'step' | 'time') {
  const placeOf = ({ step = 0, timestamp }: Metric): number => (axis === 'time' ? timestamp : step);
  const at = [...new Set(points.map(placeOf))].sort((one, other) => one - other);
  const indexes = new Map(at.map((place, index) => [place, index]));
  const values = new Map<string, (number | null)[]>();
  for (const point of points) {
    const run = point.run_id ?? '';
    const line = values.get(run) ?? at.map(() => null);
    values.set(run, line);
    line[indexes.get(placeOf(point)) ?? 0] = finite(point.value);
  }
  return { at, values };
}

/** Runs may have the same name; then a part of the id tells them apart. */
function uniqueNames(runs: readonly TrackedRun[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(runName(run), (counts.get(runName(run)) ?? 0) + 1);
  return new Map(
    runs.map((run) => {
      const { run_id: id } = run.info;
      return [id, (counts.get(runName(run)) ?? 0) > 1 ? `${runName(run)} (${id.slice(0, 6)})` : runName(run)];
    }),
  );
}
