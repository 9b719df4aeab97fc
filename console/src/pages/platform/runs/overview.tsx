import { useAction } from '../../../shared/api/use-action.ts';
import { useRemoval } from '../../../shared/api/use-removal.ts';
import { useNow } from '../../../shared/format/now.tsx';
import { Time } from '../../../shared/format/time.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { JsonView } from '../../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../../shared/ui/layout.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { usePlatform } from '../api.ts';
import { Graph } from '../graph/graph.tsx';
import { To, useGoTo, usePlace } from '../place.tsx';
import { isActive, kindOf, newestOf, type RunDocument, stateWord, type TaskRun, toneOfState } from './api.ts';
import { Attempts } from './attempts.tsx';
import { Duration, durationText, RunBadge } from './state.tsx';

interface Props {
  readonly id: string;
  readonly run: RunDocument;
  readonly task: string | undefined;
  readonly after: () => void;
}

export function RunOverview({ id, run, task, after }: Props) {
  return (
    <Detail
      kind={run.job_id === undefined ? 'Run without a job' : 'Run'}
      title={`${run.run_name} #${run.number_in_job}`}
      badges={
        <>
          <RunBadge state={run.state} />
          <Badge>{run.trigger.toLowerCase().replaceAll('_', ' ')}</Badge>
          <CopyId id={id} />
          <Duration of={run} />
        </>
      }
      actions={<Actions id={id} run={run} after={after} />}
    >
      <Verdict run={run} />
      <Tabs
        label="Run"
        param="part"
        tabs={[
          { id: 'graph', title: 'Graph', content: () => <Tasks id={id} run={run} task={task} /> },
          { id: 'attempts', title: 'Attempts', content: () => <Attempts id={id} run={run} /> },
          { id: 'about', title: 'About', content: () => <About run={run} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={run} /> },
        ]}
      />
    </Detail>
  );
}

function Actions({ id, run, after }: Pick<Props, 'id' | 'run' | 'after'>) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const goTo = useGoTo();
  const ofRun = { run_id: Number(id) };
  const cancel = useAction(() => platform.post('/api/2.2/jobs/runs/cancel', ofRun), { after });
  const lastRepair = run.repair_history?.findLast(({ type }) => type === 'REPAIR')?.id;
  const repair = useAction(
    () =>
      platform.post('/api/2.2/jobs/runs/repair', {
        ...ofRun,
        rerun_all_failed_tasks: true,
        ...(lastRepair !== undefined && { latest_repair_id: lastRepair }),
      }),
    { done: 'The failed tasks run again.', after },
  );
  const again = useAction(
    () => platform.post<{ readonly run_id: number }>('/api/2.2/jobs/run-now', { job_id: run.job_id }),
    { done: 'Another run was started.', after: ({ run_id }) => goTo('runs', String(run_id)) },
  );
  const remove = useRemoval(() => platform.post('/api/2.2/jobs/runs/delete', ofRun), {
    done: 'The run was deleted.',
    after: () => goTo('runs'),
  });
  const { job_id: job, state } = run;
  const isOver = !isActive(state);
  return (
    <>
      {job !== undefined && <To to={['jobs', String(job)]}>The job</To>}
      {mayChange && !isOver && (
        <Confirm label="Cancel" question="Cancel the tasks that have not ended?" onConfirm={() => void cancel.run()} />
      )}
      {mayChange && isOver && state.result_state !== 'SUCCESS' && (
        <Button look="main" onPress={() => void repair.run()} isDisabled={repair.isRunning}>
          Repair
        </Button>
      )}
      {mayChange && job !== undefined && (
        <Button onPress={() => void again.run()} isDisabled={again.isRunning}>
          Run again
        </Button>
      )}
      {mayChange && isOver && (
        <Confirm
          label="Delete"
          question="Delete the run with the output of its tasks?"
          onConfirm={() => void remove.run()}
        />
      )}
    </>
  );
}

/** How it ended, and which task made it so. */
function Verdict({ run: { state, tasks = [] } }: { readonly run: RunDocument }) {
  if (isActive(state)) {
    return state.queue_reason === undefined ? null : <Notice tone="warning" title={state.queue_reason} />;
  }
  if (state.result_state === 'SUCCESS') return null;
  const failed = newestOf(tasks).filter((task) => !isActive(task.state) && toneOfState(task.state) === 'failure');
  return (
    <Notice
      tone={toneOfState(state) === 'failure' ? 'failure' : 'warning'}
      title={state.state_message === '' ? `The run ended: ${stateWord(state)}.` : state.state_message}
    >
      {failed.length > 0 && `Failed: ${failed.map(({ task_key }) => task_key).join(', ')}.`}
    </Notice>
  );
}

function Tasks({ id, run, task }: Pick<Props, 'id' | 'run' | 'task'>) {
  const place = usePlace();
  const { now } = useNow();
  return (
    <Graph
      label="Tasks of the run"
      nodes={newestOf(run.tasks ?? []).map((each) => ({
        id: each.task_key,
        title: each.task_key,
        note: noteOf(each, now),
        tone: toneOfState(each.state),
        isActive: each.state.life_cycle_state === 'RUNNING',
        needs: (each.depends_on ?? []).map(({ task_key, outcome }) => ({ id: task_key, label: outcome })),
        address: place('runs', id, each.task_key),
        isOpen: each.task_key === task,
      }))}
    />
  );
}

function noteOf(task: TaskRun, now: number): string {
  const { for_each_task: loop, condition_task: condition, attempt_number: attempt } = task;
  const stats = loop?.stats?.task_run_stats;
  const parts = [
    stateWord(task.state),
    stats && `${stats.completed_iterations} of ${stats.total_iterations}`,
    condition?.outcome,
    durationText(task, now),
    attempt > 0 && `attempt ${attempt + 1}`,
    isActive(task.state) && task.state.life_cycle_state !== 'RUNNING' && kindOf(task),
  ];
  return parts.filter(Boolean).join(' · ');
}

function About({ run }: { readonly run: RunDocument }) {
  const parameters = run.job_parameters ?? [];
  return (
    <Stack>
      <Facts
        facts={[
          { label: 'Started', value: <Time at={run.start_time} /> },
          { label: 'Ended', value: run.end_time > 0 ? <Time at={run.end_time} /> : undefined },
          { label: 'Created by', value: run.creator_user_name },
          { label: 'Runs as', value: run.run_as_user_name },
          { label: 'Message', value: run.state.state_message },
        ]}
      />
      <Table
        label="Parameters"
        items={parameters}
        keyOf={({ name }) => name}
        empty="The job has no parameters."
        columns={[
          { title: 'Parameter', cell: ({ name }) => name },
          { title: 'Value', cell: ({ value }) => value },
          { title: 'Default', cell: (parameter) => parameter.default ?? '' },
        ]}
      />
      {run.overriding_parameters && <JsonView value={run.overriding_parameters} />}
    </Stack>
  );
}
