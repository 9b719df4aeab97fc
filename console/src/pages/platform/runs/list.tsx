import { addressOf } from '../../../shared/address.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Time } from '../../../shared/format/time.tsx';
import { FilterBar, useFilter } from '../../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../../shared/list/list.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { usePlatformRows } from '../use-platform-rows.ts';
import { JOBS_CHANGE, type RunPage, type RunRow } from './api.ts';
import { Duration, RunBadge } from './state.tsx';

/** Prepared filters of the API by their id in the address. */
const QUICK = [
  { id: 'active', title: 'Active', query: { active_only: 'true' } },
  { id: 'completed', title: 'Ended', query: { completed_only: 'true' } },
  { id: 'submitted', title: 'Without a job', query: { run_type: 'SUBMIT_RUN' } },
] as const;

const keyOf = ({ run_id }: RunRow): string => String(run_id);

const COLUMNS: readonly Column<RunRow>[] = [
  { id: 'name', title: 'Run', width: 'minmax(8rem, 2fr)', cell: (run) => `${run.run_name} #${run.number_in_job}` },
  { id: 'state', title: 'State', width: '10rem', cell: ({ state }) => <RunBadge state={state} /> },
  { id: 'started', title: 'Started', width: '7rem', cell: ({ start_time }) => <Time at={start_time} /> },
  { id: 'took', title: 'Took', width: '8rem', isNumber: true, isExtra: true, cell: (run) => <Duration of={run} /> },
  { id: 'trigger', title: 'Started by', width: '8rem', isExtra: true, cell: (run) => triggerOf(run) },
  { id: 'as', title: 'Runs as', width: 'minmax(6rem, 1fr)', isExtra: true, cell: (run) => run.run_as_user_name },
];

const triggerOf = ({ trigger }: RunRow): string => trigger.toLowerCase().replaceAll('_', ' ');

/** All runs of the workspace: those that are active first, then the newest. A job id filters them. */
export function RunList() {
  const { text, quick } = useFilter();
  const job = /^\d+$/.test(text?.trim() ?? '') ? text?.trim() : undefined;
  const rows = usePlatformRows<RunPage, RunRow>('/api/2.2/jobs/runs/list', {
    query: { limit: 25, job_id: job, ...QUICK.find(({ id }) => id === quick)?.query },
    rowsOf: ({ runs }) => runs,
    keyOf,
    on: JOBS_CHANGE,
    follow: true,
  });
  const wanted = job === undefined ? (text?.trim().toLowerCase() ?? '') : '';
  const shown = wanted === '' ? rows.rows : rows.rows.filter((run) => run.run_name.toLowerCase().includes(wanted));
  const isFiltered = quick !== undefined || (text ?? '') !== '';
  return (
    <>
      <FilterBar placeholder="Name, or id of a job" quick={QUICK} failure={rows.failure} />
      <List
        label="Runs"
        source={{ ...rows, rows: shown }}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={(run) => addressOf('platform', 'runs', keyOf(run))}
        empty={
          isFiltered ? (
            <Empty title="No run matches the filter" />
          ) : (
            <Empty title="Nothing has run yet" command={EXAMPLE}>
              Runs of jobs, and runs without a job, appear here with their tasks and output.
            </Empty>
          )
        }
      />
    </>
  );
}

const EXAMPLE = `${CURL} ${location.origin}/api/2.2/jobs/runs/submit -H "Authorization: Bearer $(npx cloudjar token)" \\
  -d '{"run_name":"Once","tasks":[{"task_key":"hello","python_wheel_task":{"package_name":"p","entry_point":"e",
    "cloudjar":"echo hello; sleep 60"}}]}'`;
