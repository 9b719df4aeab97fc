import { useAddressParam } from '../../../shared/address.ts';
import { useAction } from '../../../shared/api/use-action.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { useRemoval } from '../../../shared/api/use-removal.ts';
import { Time } from '../../../shared/format/time.tsx';
import { useKeys } from '../../../shared/keys.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { JsonView } from '../../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../../shared/ui/layout.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { allPages, type Platform, usePlatform } from '../api.ts';
import { useGoTo } from '../place.tsx';
import { JOBS_CHANGE, type TaskSettings } from '../runs/api.ts';
import { type Job, type JobSettings, jobName, startsBy } from './api.ts';
import { RunNow } from './run-now.tsx';
import { RunsOfJob } from './runs-of-job.tsx';
import { TaskGraph } from './task-graph.tsx';

/** One job: its runs, its tasks, its settings; and a way to start it. */
export function JobDetail({ id }: { readonly id: string }) {
  const platform = usePlatform();
  const goTo = useGoTo();
  const mayChange = useMayChange();
  const [asking, ask] = useAddressParam('start');
  const job = useData([platform.key, 'job', id], (signal) => readJob(platform, id, signal), { on: JOBS_CHANGE });
  const start = useAction(
    (values: Readonly<Record<string, string>>) =>
      platform.post<{ readonly run_id: number }>('/api/2.2/jobs/run-now', {
        job_id: Number(id),
        ...(Object.keys(values).length > 0 && { job_parameters: values }),
      }),
    { done: 'The run was started.', after: ({ run_id }) => goTo('runs', String(run_id)) },
  );
  const pause = useAction(
    (change: object) => platform.post('/api/2.2/jobs/update', { job_id: Number(id), new_settings: change }),
    { after: job.readAgain },
  );
  const cancel = useAction(() => platform.post('/api/2.2/jobs/runs/cancel-all', { job_id: Number(id) }), {
    done: 'The active runs of the job are being cancelled.',
  });
  const remove = useRemoval(() => platform.post('/api/2.2/jobs/delete', { job_id: Number(id) }), {
    done: 'The job was deleted.',
    after: () => goTo('jobs'),
  });
  const { data } = job;
  const takes = data?.settings.parameters ?? [];
  const begin = (): void => (takes.length > 0 ? ask('run') : void start.run({}));
  useKeys(mayChange && data ? [{ key: 'r', does: 'Run the job now', run: begin }] : []);
  if (!data)
    return (
      <Detail kind="Job" title={id} failure={job.failure}>
        {null}
      </Detail>
    );
  const { settings } = data;
  const toggled = paused(settings);
  return (
    <Detail
      kind="Job"
      title={jobName(data)}
      failure={job.failure}
      badges={
        <>
          <Badge>{startsBy(settings)}</Badge>
          <CopyId id={id} />
        </>
      }
      actions={
        mayChange && (
          <>
            <Button look="main" onPress={begin} isDisabled={start.isRunning}>
              Run now
            </Button>
            {toggled && (
              <Button onPress={() => void pause.run(toggled.change)} isDisabled={pause.isRunning}>
                {toggled.isPaused ? 'Resume' : 'Pause'}
              </Button>
            )}
            <Confirm
              label="Cancel runs"
              question="Cancel all active runs of this job?"
              onConfirm={() => void cancel.run()}
            />
            <Confirm
              label="Delete"
              question={`Delete ${jobName(data)} with its schedule? Its runs stay readable.`}
              onConfirm={() => void remove.run()}
            />
          </>
        )
      }
    >
      <Tabs
        label="Job"
        tabs={[
          { id: 'runs', title: 'Runs', content: () => <RunsOfJob id={id} /> },
          {
            id: 'tasks',
            title: `Tasks (${settings.tasks?.length ?? 0})`,
            content: () => <Tasks job={data} tasks={settings.tasks ?? []} />,
          },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
      {asking === 'run' && (
        <RunNow
          name={jobName(data)}
          parameters={takes}
          close={() => ask(undefined)}
          start={(values) => void start.run(values)}
          isRunning={start.isRunning}
        />
      )}
    </Detail>
  );
}

function Tasks({ job, tasks }: { readonly job: Job; readonly tasks: readonly TaskSettings[] }) {
  return (
    <Stack>
      <TaskGraph tasks={tasks} />
      <Facts
        facts={[
          { label: 'Description', value: job.settings.description },
          { label: 'Runs as', value: job.run_as_user_name },
          { label: 'Runs at once', value: job.settings.max_concurrent_runs },
          { label: 'Created', value: <Time at={job.created_time} /> },
          {
            label: 'Tags',
            value: Object.entries(job.settings.tags ?? {})
              .map(([name, value]) => `${name}: ${value}`)
              .join(', '),
          },
        ]}
      />
    </Stack>
  );
}

/** The change that pauses or resumes what starts the job by itself. */
function paused({ schedule, trigger, continuous }: JobSettings) {
  const [name, current] = schedule
    ? (['schedule', schedule] as const)
    : trigger
      ? (['trigger', trigger] as const)
      : (['continuous', continuous] as const);
  if (!current) return undefined;
  const isPaused = current.pause_status === 'PAUSED';
  return { isPaused, change: { [name]: { ...current, pause_status: isPaused ? 'UNPAUSED' : 'PAUSED' } } };
}

/** A whole job: version 2.2 of the API hands out a hundred tasks at a time. */
async function readJob(platform: Platform, id: string, signal: AbortSignal): Promise<Job> {
  const { next_page_token, ...job } = await platform.get<Job>('/api/2.2/jobs/get', { job_id: id }, signal);
  if (next_page_token === undefined) return job;
  const { rows } = await allPages<Job, TaskSettings>(
    (token = next_page_token) => platform.get('/api/2.2/jobs/get', { job_id: id, page_token: token }, signal),
    ({ settings }) => settings.tasks,
  );
  return { ...job, settings: { ...job.settings, tasks: [...(job.settings.tasks ?? []), ...rows] } };
}
