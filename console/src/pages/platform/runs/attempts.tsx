import { TimeLine } from '../../../shared/chart/time-line.tsx';
import { useNow } from '../../../shared/format/now.tsx';
import { Time } from '../../../shared/format/time.tsx';
import type { Tone } from '../../../shared/ui/badge.tsx';
import { Stack } from '../../../shared/ui/layout.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { To, useGoTo } from '../place.tsx';
import { isActive, neverRan, type RepairEntry, type RunDocument, stateWord, type TaskRun, toneOfState } from './api.ts';
import { Duration, RunBadge } from './state.tsx';

interface Props {
  readonly id: string;
  readonly run: RunDocument;
}

/** When each attempt of each task ran, on one line per task, and the same as a table. */
export function Attempts({ id, run }: Props) {
  const { now } = useNow();
  const goTo = useGoTo();
  const tasks = run.tasks ?? [];
  const begun = tasks.filter(
    ({ state, end_time }) => (end_time > 0 && !neverRan(state)) || state.life_cycle_state === 'RUNNING',
  );
  const from = Math.min(run.start_time, ...begun.map(({ start_time }) => start_time));
  const to = isActive(run.state) ? now : Math.max(from + 1, ...begun.map(({ end_time }) => end_time));
  return (
    <Stack>
      <TimeLine
        label="Attempts over time"
        from={from}
        to={Math.max(from + 1, to)}
        now={Math.min(now, to)}
        marks={begun.map((task) => ({
          id: String(task.run_id),
          lane: task.task_key,
          at: task.start_time,
          until: task.end_time > 0 ? task.end_time : now,
          label: `${task.task_key}, attempt ${task.attempt_number + 1}: ${stateWord(task.state)}`,
          tone: markTone(toneOfState(task.state)),
        }))}
        onChoose={(mark) => {
          const chosen = tasks.find(({ run_id }) => String(run_id) === mark);
          if (chosen) goTo('runs', id, chosen.task_key);
        }}
        empty="No task has begun yet."
      />
      <Table
        label="Attempts"
        items={tasks}
        keyOf={({ run_id }) => String(run_id)}
        empty="The run has no task yet."
        columns={[
          { title: 'Task', cell: (task: TaskRun) => <To to={['runs', id, task.task_key]}>{task.task_key}</To> },
          { title: 'Attempt', isNumber: true, cell: ({ attempt_number }) => attempt_number + 1 },
          { title: 'State', cell: ({ state }) => <RunBadge state={state} /> },
          { title: 'Started', cell: ({ start_time }) => <Time at={start_time} /> },
          { title: 'Took', isNumber: true, cell: (task) => <Duration of={task} /> },
          { title: 'Message', cell: ({ state }) => state.state_message ?? '' },
        ]}
      />
      <Repairs history={run.repair_history ?? []} />
    </Stack>
  );
}

const markTone = (tone: Tone) => (tone === 'neutral' ? undefined : tone);

function Repairs({ history }: { readonly history: readonly RepairEntry[] }) {
  if (history.length < 2) return null;
  return (
    <Table
      label="Repairs"
      items={history}
      keyOf={({ id, type }) => `${type} ${id ?? ''}`}
      columns={[
        { title: 'Began with', cell: ({ type }) => (type === 'ORIGINAL' ? 'the run' : 'a repair') },
        { title: 'State', cell: ({ state }) => <RunBadge state={state} /> },
        { title: 'Started', cell: ({ start_time }) => <Time at={start_time} /> },
        { title: 'Tasks', isNumber: true, cell: ({ task_run_ids }) => task_run_ids?.length ?? 0 },
      ]}
    />
  );
}
