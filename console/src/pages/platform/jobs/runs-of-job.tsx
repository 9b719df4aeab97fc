import { useData } from '../../../shared/api/use-data.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Soft, Stack } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { usePlatform } from '../api.ts';
import { To } from '../place.tsx';
import { JOBS_CHANGE, type RunPage } from '../runs/api.ts';
import { Duration, RunBadge } from '../runs/state.tsx';

/** The newest runs of a job: those that are active first. */
export function RunsOfJob({ id }: { readonly id: string }) {
  const platform = usePlatform();
  const runs = useData(
    [platform.key, 'runs of job', id],
    (signal) => platform.get<RunPage>('/api/2.2/jobs/runs/list', { job_id: id, limit: 25 }, signal),
    { on: JOBS_CHANGE },
  );
  const shown = runs.data?.runs ?? [];
  return (
    <Stack>
      <FailureNotice failure={runs.failure} what="The runs" />
      <Table
        label="Runs of the job"
        items={shown}
        keyOf={({ run_id }) => String(run_id)}
        empty={runs.data && 'The job has not run yet.'}
        columns={[
          { title: 'Run', cell: (run) => <To to={['runs', String(run.run_id)]}>#{run.number_in_job}</To> },
          { title: 'State', cell: ({ state }) => <RunBadge state={state} /> },
          { title: 'Started', cell: ({ start_time }) => <Time at={start_time} /> },
          { title: 'Took', isNumber: true, cell: (run) => <Duration of={run} /> },
          { title: 'Started by', cell: ({ trigger }) => trigger.toLowerCase().replaceAll('_', ' ') },
        ]}
      />
      {runs.data?.next_page_token !== undefined && (
        <Soft>
          {counted(shown.length, 'run')} shown. <To to={['runs']}>All runs</To>
        </Soft>
      )}
    </Stack>
  );
}
