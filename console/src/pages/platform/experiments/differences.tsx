import { Table } from '../../../shared/ui/table.tsx';
import { type KeyValue, shownValue, type TrackedRun } from './api.ts';
import { namesOf } from './run-columns.tsx';

interface Props {
  readonly runs: readonly TrackedRun[];
  /** By the id of the run; all of them differ. */
  readonly labels: ReadonlyMap<string, string>;
}

/** The parameters and metrics that are not the same in all of these runs, side by side. */
export function Differences({ runs, labels }: Props) {
  const rows = [
    ...namesOf(runs, ({ data }) => data.params).map((name) => rowOf(name, 'parameter', runs, paramOf)),
    ...namesOf(runs, ({ data }) => data.metrics).map((name) => rowOf(name, 'metric', runs, metricOf)),
  ].filter(({ values }) => new Set(values).size > 1);
  return (
    <Table
      label="What differs"
      items={rows}
      keyOf={({ kind, name }) => `${kind} ${name}`}
      empty="The chosen runs have the same parameters and metrics."
      columns={[
        { title: 'Differs', cell: ({ name, kind }) => `${name} (${kind})` },
        ...runs.map(({ info }, index) => ({
          title: labels.get(info.run_id) ?? info.run_id,
          cell: ({ values }: (typeof rows)[number]) => values[index] ?? '—',
        })),
      ]}
    />
  );
}

type Reading = (run: TrackedRun, name: string) => string | undefined;

const rowOf = (name: string, kind: 'parameter' | 'metric', runs: readonly TrackedRun[], read: Reading) => ({
  name,
  kind,
  values: runs.map((run) => read(run, name)),
});

const paramOf: Reading = ({ data }, name) => data.params?.find(({ key }: KeyValue) => key === name)?.value;

const metricOf: Reading = ({ data }, name) => {
  const found = data.metrics?.find(({ key }) => key === name);
  return found && shownValue(found.value);
};
