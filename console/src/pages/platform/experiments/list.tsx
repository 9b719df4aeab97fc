import { addressOf, useAddressParam } from '../../../shared/address.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Time } from '../../../shared/format/time.tsx';
import { FilterBar, useFilter } from '../../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../../shared/list/list.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { withFilterFailure } from '../filter-failure.ts';
import { usePlatformRows } from '../use-platform-rows.ts';
import { type Experiment, type ExperimentPage, MLFLOW, searchOf, TRACKING_CHANGE } from './api.ts';

const QUICK = [{ id: 'deleted', title: 'Deleted' }] as const;

const keyOf = ({ experiment_id }: Experiment): string => experiment_id;

const COLUMNS: readonly Column<Experiment>[] = [
  { id: 'name', title: 'Experiment', width: 'minmax(8rem, 2fr)', order: 'name', cell: ({ name }) => name },
  { id: 'id', title: 'Id', width: '10rem', isExtra: true, cell: keyOf },
  {
    id: 'created',
    title: 'Created',
    width: '7rem',
    order: 'creation_time',
    isExtra: true,
    cell: ({ creation_time }) => <Time at={creation_time} />,
  },
  {
    id: 'changed',
    title: 'Changed',
    width: '7rem',
    order: 'last_update_time',
    cell: ({ last_update_time }) => <Time at={last_update_time} />,
  },
];

/** The experiments of the workspace. */
export function ExperimentList() {
  const { text, quick } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const filter = searchOf(text, 'name');
  const found = usePlatformRows<ExperimentPage, Experiment>(`${MLFLOW}/experiments/search`, {
    query: { max_results: 200, filter, order_by: order, view_type: quick === 'deleted' ? 'DELETED_ONLY' : undefined },
    rowsOf: ({ experiments }) => experiments,
    keyOf,
    on: TRACKING_CHANGE,
    follow: true,
  });
  const rows = withFilterFailure(found, filter);
  const isFiltered = filter !== undefined || quick !== undefined;
  return (
    <>
      <FilterBar placeholder="Name, or a search: tags.team = 'a'" quick={QUICK} failure={rows.failure} />
      <List
        label="Experiments"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={(experiment) => addressOf('platform', 'experiments', keyOf(experiment))}
        empty={
          isFiltered ? (
            <Empty title="No experiment matches the filter" />
          ) : (
            <Empty title="There is no experiment yet" command={EXAMPLE}>
              An experiment groups runs with their parameters, metrics and files.
            </Empty>
          )
        }
      />
    </>
  );
}

const EXAMPLE = `${CURL} ${location.origin}/api/2.0/mlflow/experiments/create -H "Authorization: Bearer $(npx cloudjar token)" \\
  -d '{"name":"/Shared/first experiment"}'`;
