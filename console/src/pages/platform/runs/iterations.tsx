import { useState } from 'react';
import { useData } from '../../../shared/api/use-data.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Stack } from '../../../shared/ui/layout.tsx';
import { Progress } from '../../../shared/ui/meter.tsx';
import { CodeBlock, FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { usePlatform } from '../api.ts';
import { JOBS_CHANGE, type RunDocument, type TaskRun } from './api.ts';
import { Duration, RunBadge } from './state.tsx';

/** The iterations of a loop; a click shows what one wrote. */
export function Iterations({ task }: { readonly task: TaskRun }) {
  const platform = usePlatform();
  const [open, setOpen] = useState<number>();
  const { run_id: id } = task;
  const read = useData(
    [platform.key, 'iterations', id],
    (signal) => platform.get<RunDocument>('/api/2.2/jobs/runs/get', { run_id: id }, signal),
    { on: JOBS_CHANGE },
  );
  const stats = task.for_each_task?.stats?.task_run_stats;
  return (
    <Stack>
      <FailureNotice failure={read.failure} what="The iterations" />
      {stats && stats.total_iterations > 0 && (
        <Progress
          label={`${stats.completed_iterations} of ${stats.total_iterations}, ${stats.failed_iterations} failed`}
          share={stats.completed_iterations / stats.total_iterations}
        />
      )}
      <Table
        label="Iterations"
        items={read.data?.iterations ?? []}
        keyOf={({ run_id }) => String(run_id)}
        empty={read.data && 'No iteration has begun yet.'}
        columns={[
          {
            title: 'Input',
            cell: ({ input, run_id }) => (
              <Button look="quiet" onPress={() => setOpen(run_id)}>
                {typeof input === 'string' ? input : JSON.stringify(input)}
              </Button>
            ),
          },
          { title: 'State', cell: ({ state }) => <RunBadge state={state} /> },
          { title: 'Took', isNumber: true, cell: (iteration) => <Duration of={iteration} /> },
          { title: 'Message', cell: ({ state }) => state.state_message ?? '' },
        ]}
      />
      {open !== undefined && <Logs key={open} id={open} />}
    </Stack>
  );
}

function Logs({ id }: { readonly id: number }) {
  const platform = usePlatform();
  const output = useData(
    [platform.key, 'output', id],
    (signal) => platform.get<{ readonly logs?: string }>('/api/2.2/jobs/runs/get-output', { run_id: id }, signal),
    { on: JOBS_CHANGE },
  );
  return <CodeBlock text={output.data?.logs ?? 'The iteration has written nothing.'} label="Copy the logs" />;
}
