import { Time } from '../../../shared/format/time.tsx';
import { longSpan } from '../../../shared/format/times.ts';
import type { Column } from '../../../shared/list/list.tsx';
import { Badge } from '../../../shared/ui/badge.tsx';
import { runName, shownValue, type TrackedRun, toneOfStatus } from './api.ts';

const MOST_METRICS = 3;
const MOST_PARAMS = 3;

/** The columns of a list of runs: some metrics and parameters of these runs are among them. */
export function columnsFor(
  runs: readonly TrackedRun[],
  chosen: readonly string[],
  toggle: (id: string) => void,
): readonly Column<TrackedRun>[] {
  const metrics = namesOf(runs, ({ data }) => data.metrics).slice(0, MOST_METRICS);
  const params = namesOf(runs, ({ data }) => data.params).slice(0, MOST_PARAMS);
  return [
    { id: 'name', title: 'Run', width: 'minmax(8rem, 2fr)', order: 'attributes.run_name', cell: runName },
    {
      id: 'compare',
      title: 'Compare',
      width: '4.5rem',
      cell: (run) => (
        <input
          type="checkbox"
          aria-label={`Compare ${runName(run)}`}
          checked={chosen.includes(run.info.run_id)}
          onChange={() => toggle(run.info.run_id)}
        />
      ),
    },
    {
      id: 'status',
      title: 'Status',
      width: '6rem',
      order: 'attributes.status',
      cell: ({ info }) => <Badge tone={toneOfStatus(info.status)}>{info.status.toLowerCase()}</Badge>,
    },
    ...metrics.map(
      (name): Column<TrackedRun> => ({
        id: `metric ${name}`,
        title: name,
        width: 'minmax(5rem, 1fr)',
        isNumber: true,
        isExtra: true,
        ...(/^[\w.]+$/.test(name) && { order: `metrics.${name}` }),
        cell: ({ data }) => {
          const metric = data.metrics?.find(({ key }) => key === name);
          return metric && shownValue(metric.value);
        },
      }),
    ),
    ...params.map(
      (name): Column<TrackedRun> => ({
        id: `param ${name}`,
        title: name,
        width: 'minmax(4rem, 1fr)',
        isExtra: true,
        ...(/^[\w.]+$/.test(name) && { order: `params.${name}` }),
        cell: ({ data }) => data.params?.find(({ key }) => key === name)?.value,
      }),
    ),
    {
      id: 'took',
      title: 'Took',
      width: '6rem',
      isNumber: true,
      isExtra: true,
      cell: ({ info }) => (info.end_time ? longSpan(info.end_time - info.start_time) : ''),
    },
    {
      id: 'started',
      title: 'Started',
      width: '6rem',
      order: 'attributes.start_time',
      cell: ({ info }) => <Time at={info.start_time} />,
    },
  ];
}

/** The names that most runs have, the most frequent first. */
export function namesOf(
  runs: readonly TrackedRun[],
  valuesOf: (run: TrackedRun) => readonly { readonly key: string }[] | undefined,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const run of runs) for (const { key } of valuesOf(run) ?? []) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([one, a], [other, b]) => b - a || one.localeCompare(other)).map(([name]) => name);
}
