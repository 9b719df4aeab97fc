import { addressOf, useAddressParam } from '../../../shared/address.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { FilterBar, useFilter } from '../../../shared/list/filter-bar.tsx';
import { List, ORDER_PARAM } from '../../../shared/list/list.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Row, Soft } from '../../../shared/ui/layout.tsx';
import { Empty, FailureNotice } from '../../../shared/ui/notice.tsx';
import { usePlatform } from '../api.ts';
import { withFilterFailure } from '../filter-failure.ts';
import { To } from '../place.tsx';
import { usePlatformRows } from '../use-platform-rows.ts';
import { type Experiment, MLFLOW, searchOf, TRACKING_CHANGE, type TrackedRun, type TrackedRunPage } from './api.ts';
import { Curves } from './curves.tsx';
import styles from './experiment.module.css';
import { columnsFor } from './run-columns.tsx';
import { TrackedRunDetail } from './run-detail.tsx';
import { useChosen } from './use-chosen.ts';

const QUICK = [
  { id: 'running', title: 'Running', filter: "attributes.status = 'RUNNING'" },
  { id: 'finished', title: 'Finished', filter: "attributes.status = 'FINISHED'" },
  { id: 'failed', title: 'Failed', filter: "attributes.status = 'FAILED'" },
  { id: 'deleted', title: 'Deleted', filter: undefined },
] as const;

const keyOf = ({ info }: TrackedRun): string => info.run_id;

interface Props {
  readonly id: string;
  /** The run that is open. */
  readonly run: string | undefined;
}

/** One experiment: its runs, and the curves of those that are chosen. */
export function ExperimentView({ id, run }: Props) {
  const platform = usePlatform();
  const { text, quick } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const { chosen, toggle, clear } = useChosen();
  const experiment = useData(
    [platform.key, 'experiment', id],
    (signal) =>
      platform.get<{ readonly experiment: Experiment }>(`${MLFLOW}/experiments/get`, { experiment_id: id }, signal),
    { on: TRACKING_CHANGE },
  );
  const typed = searchOf(text, 'attributes.run_name');
  const prepared = QUICK.find((each) => each.id === quick);
  const filter = [prepared?.filter, typed].filter(Boolean).join(' AND ');
  const found = usePlatformRows<TrackedRunPage, TrackedRun>(`${MLFLOW}/runs/search`, {
    body: {
      experiment_ids: [id],
      max_results: 100,
      ...(filter !== '' && { filter }),
      ...(order !== undefined && { order_by: [order] }),
      ...(prepared?.id === 'deleted' && { run_view_type: 'DELETED_ONLY' }),
    },
    rowsOf: ({ runs }) => runs,
    keyOf,
    on: TRACKING_CHANGE,
    follow: true,
  });
  const rows = withFilterFailure(found, typed);
  const name = experiment.data?.experiment.name ?? id;
  const list = (
    <div className={styles.experiment}>
      <Row>
        <To to={['experiments']}>Experiments</To>
        <Soft>/</Soft>
        <h2>{name}</h2>
        <CopyId id={id} />
      </Row>
      <FailureNotice failure={experiment.failure} what="The experiment" />
      <Curves runs={rows.rows} chosen={chosen} clear={clear} />
      <div className={styles.runs}>
        <FilterBar placeholder="Name, or a search: metrics.acc > 0.9" quick={QUICK} failure={rows.failure} />
        <List
          label="Runs of the experiment"
          source={rows}
          keyOf={keyOf}
          columns={columnsFor(rows.rows, chosen, toggle)}
          addressOf={(each) => addressOf('platform', 'experiments', id, keyOf(each))}
          open={run}
          empty={
            filter === '' && quick === undefined ? (
              <Empty title="The experiment has no run yet" command={exampleFor(id)}>
                Runs that clients log here appear with their parameters and metrics.
              </Empty>
            ) : (
              <Empty title="No run matches the filter" />
            )
          }
        />
      </div>
    </div>
  );
  return (
    <Explorer
      label="Run"
      closed={addressOf('platform', 'experiments', id)}
      list={list}
      detail={run === undefined ? undefined : <TrackedRunDetail key={run} experiment={id} id={run} />}
    />
  );
}

const exampleFor = (id: string): string =>
  `${CURL} ${location.origin}/api/2.0/mlflow/runs/create -H "Authorization: Bearer $(npx cloudjar token)" \\
  -d '{"experiment_id":"${id}","run_name":"first"}'`;
