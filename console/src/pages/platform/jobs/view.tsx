import { addressOf, useSegments } from '../../../shared/address.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { FilterBar, useFilter } from '../../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../../shared/list/list.tsx';
import { rowsOf } from '../../../shared/list/rows-of.ts';
import { Empty } from '../../../shared/ui/notice.tsx';
import { allPages, type Platform, usePlatform } from '../api.ts';
import { JOBS_CHANGE, type RunPage, type RunRow } from '../runs/api.ts';
import { RunBadge } from '../runs/state.tsx';
import { type Job, type JobPage, jobName, startsBy } from './api.ts';
import { JobDetail } from './detail.tsx';

type JobRow = Job & { readonly last: RunRow | undefined };

const keyOf = ({ job_id }: Job): string => String(job_id);

const COLUMNS: readonly Column<JobRow>[] = [
  { id: 'name', title: 'Job', width: 'minmax(8rem, 2fr)', cell: jobName },
  {
    id: 'last',
    title: 'Last run',
    width: '9rem',
    cell: ({ last }) => last && <RunBadge state={last.state} />,
  },
  {
    id: 'starts',
    title: 'Starts',
    width: 'minmax(8rem, 2fr)',
    isExtra: true,
    cell: ({ settings }) => startsBy(settings),
  },
  { id: 'by', title: 'Created by', width: 'minmax(6rem, 1fr)', isExtra: true, cell: (job) => job.creator_user_name },
  { id: 'created', title: 'Created', width: '7rem', cell: ({ created_time }) => <Time at={created_time} /> },
];

/** The jobs of the workspace, each with its last run. */
export default function Jobs() {
  const [, open] = useSegments('platform');
  const platform = usePlatform();
  const { text = '' } = useFilter();
  const jobs = useData([platform.key, 'jobs'], (signal) => readJobs(platform, signal), { on: JOBS_CHANGE });
  const wanted = text.toLowerCase();
  const shown = jobs.data?.filter((job) => `${jobName(job)} ${job.job_id}`.toLowerCase().includes(wanted));
  const list = (
    <>
      <FilterBar placeholder="Name or id" />
      <List
        label="Jobs"
        source={rowsOf({ ...jobs, data: shown })}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={(job) => addressOf('platform', 'jobs', keyOf(job))}
        open={open}
        empty={
          text === '' ? (
            <Empty title="There is no job yet" command={EXAMPLE}>
              A job is a graph of tasks that runs on call, on a schedule or on a trigger.
            </Empty>
          ) : (
            <Empty title="No job has this name or id" />
          )
        }
      />
    </>
  );
  return (
    <Explorer
      label="Job"
      closed={addressOf('platform', 'jobs')}
      list={list}
      detail={open === undefined ? undefined : <JobDetail key={open} id={open} />}
    />
  );
}

/** The list has no runs; the newest of the workspace tell the last run of most jobs. */
const RUN_PAGES = 4;

async function readJobs(platform: Platform, signal: AbortSignal): Promise<readonly JobRow[]> {
  const newest = new Map<number, RunRow>();
  const readRuns = async (): Promise<void> => {
    let token: string | undefined;
    for (let page = 0; page < RUN_PAGES; page++) {
      const { runs = [], next_page_token } = await platform.get<RunPage>(
        '/api/2.2/jobs/runs/list',
        { limit: 25, page_token: token },
        signal,
      );
      for (const run of runs)
        if (run.job_id !== undefined && (newest.get(run.job_id)?.number_in_job ?? -1) < run.number_in_job)
          newest.set(run.job_id, run);
      token = next_page_token;
      if (token === undefined) return;
    }
  };
  const [{ rows }] = await Promise.all([
    allPages<JobPage, Job>(
      (page_token) => platform.get('/api/2.2/jobs/list', { limit: 100, page_token }, signal),
      ({ jobs }) => jobs,
    ),
    readRuns(),
  ]);
  return rows.map((job) => ({ ...job, last: newest.get(job.job_id) }));
}

const EXAMPLE = `${CURL} ${location.origin}/api/2.2/jobs/create -H "Authorization: Bearer $(npx cloudjar token)" \\
  -d '{"name":"Nightly","tasks":[{"task_key":"count","python_wheel_task":{"package_name":"etl","entry_point":"count",
    "cloudjar":"echo 42 rows; sleep 60"}},{"task_key":"load","depends_on":[{"task_key":"count"}],
    "spark_jar_task":{"main_class_name":"etl.Load","cloudjar":"echo loaded; sleep 30"}}]}'`;
