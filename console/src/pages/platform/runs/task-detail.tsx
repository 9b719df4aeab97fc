import { useState } from 'react';
import { useData } from '../../../shared/api/use-data.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Badge } from '../../../shared/ui/badge.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { Select } from '../../../shared/ui/field.tsx';
import { JsonView } from '../../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../../shared/ui/layout.tsx';
import { CodeBlock, FailureNotice, Notice } from '../../../shared/ui/notice.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { type Platform, usePlatform } from '../api.ts';
import { To } from '../place.tsx';
import { JOBS_CHANGE, kindOf, type TaskRun } from './api.ts';
import { Iterations } from './iterations.tsx';
import { Duration, RunBadge } from './state.tsx';

interface Props {
  readonly run: string;
  /** All attempts of the task, the first one first. */
  readonly attempts: readonly TaskRun[];
}

/** One task of a run: what it wrote, why it failed, what it was given. */
export function TaskDetail({ run, attempts }: Props) {
  const [chosen, choose] = useState<string>();
  const newest = attempts.at(-1);
  const task = attempts.find(({ run_id }) => String(run_id) === chosen) ?? newest;
  if (!task) return null;
  return (
    <Detail
      kind={`Task, ${kindOf(task)}`}
      title={task.task_key}
      badges={
        <>
          <RunBadge state={task.state} />
          {task.run_if !== undefined && <Badge>{task.run_if.toLowerCase().replaceAll('_', ' ')}</Badge>}
          <CopyId id={String(task.run_id)} />
        </>
      }
      actions={
        attempts.length > 1 && (
          <Select
            label="Attempt"
            hideLabel
            value={String(task.run_id)}
            onChange={choose}
            choices={attempts.map(({ run_id, attempt_number }) => ({
              value: String(run_id),
              label: `Attempt ${attempt_number + 1}`,
            }))}
          />
        )
      }
    >
      <Tabs
        label="Task"
        tabs={[
          { id: 'output', title: 'Output', content: () => <Output task={task} /> },
          task.for_each_task !== undefined && {
            id: 'iterations',
            title: 'Iterations',
            content: () => <Iterations task={task} />,
          },
          { id: 'about', title: 'About', content: () => <About run={run} task={task} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={task} /> },
        ]}
      />
    </Detail>
  );
}

interface OutputDocument {
  readonly logs?: string;
  readonly logs_truncated?: boolean;
  readonly error?: string;
  readonly error_trace?: string;
  readonly info?: string;
  readonly notebook_output?: { readonly result?: string };
  readonly metadata?: unknown;
  readonly [member: string]: unknown;
}

const readOutput = (platform: Platform, id: number, signal: AbortSignal) =>
  platform.get<OutputDocument>('/api/2.2/jobs/runs/get-output', { run_id: id }, signal);

function Output({ task }: { readonly task: TaskRun }) {
  const platform = usePlatform();
  const { run_id: id, state } = task;
  const output = useData([platform.key, 'output', id], (signal) => readOutput(platform, id, signal), {
    on: JOBS_CHANGE,
  });
  const {
    metadata: _,
    logs = '',
    logs_truncated,
    error,
    error_trace,
    info,
    notebook_output,
    ...rest
  } = output.data ?? {};
  return (
    <Stack>
      <FailureNotice failure={output.failure} what="The output" />
      {error !== undefined && <Notice tone="failure" title={error} />}
      {(error === undefined || error !== state.state_message) && Boolean(state.state_message) && (
        <p>{state.state_message}</p>
      )}
      {notebook_output?.result !== undefined && (
        <>
          <h3>Result</h3>
          <CodeBlock text={notebook_output.result} />
        </>
      )}
      {error_trace !== undefined && <CodeBlock text={error_trace} label="Copy the trace" />}
      {logs === '' ? (
        output.data && <p>The task has written nothing{task.end_time > 0 ? '' : ' yet'}.</p>
      ) : (
        <>
          <h3>Logs{logs_truncated ? ', the end was cut off' : ''}</h3>
          <CodeBlock text={logs} label="Copy the logs" />
        </>
      )}
      {info !== undefined && <Notice>{info}</Notice>}
      {Object.keys(rest).length > 0 && <JsonView value={rest} />}
    </Stack>
  );
}

function About({ run, task }: { readonly run: string; readonly task: TaskRun }) {
  const { depends_on: needs = [], cluster_instance: cluster, run_job_task: other } = task;
  return (
    <Stack>
      <Facts
        facts={[
          { label: 'Description', value: task.description },
          { label: 'Started', value: <Time at={task.start_time} /> },
          { label: 'Ended', value: task.end_time > 0 ? <Time at={task.end_time} /> : undefined },
          { label: 'Took', value: <Duration of={task} /> },
          {
            label: 'After',
            value:
              needs.length > 0
                ? needs.map(({ task_key: key, outcome }, index) => (
                    <span key={key}>
                      {index > 0 && ', '}
                      <To to={['runs', run, key]}>{key}</To>
                      {outcome !== undefined && ` (${outcome})`}
                    </span>
                  ))
                : undefined,
          },
          cluster && { label: 'Cluster', value: <To to={['compute', cluster.cluster_id]}>{cluster.cluster_id}</To> },
          other?.run_id !== undefined && {
            label: 'Run of the other job',
            value: <To to={['runs', String(other.run_id)]}>{String(other.run_id)}</To>,
          },
        ]}
      />
      {task.resolved_values && (
        <>
          <h3>Values after references were replaced</h3>
          <JsonView value={task.resolved_values} />
        </>
      )}
    </Stack>
  );
}
