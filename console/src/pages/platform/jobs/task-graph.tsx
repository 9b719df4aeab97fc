import { useLocation, useSearch } from 'wouter';
import { useAddressParam } from '../../../shared/address.ts';
import { JsonView } from '../../../shared/ui/json-view.tsx';
import { Stack } from '../../../shared/ui/layout.tsx';
import { Graph } from '../graph/graph.tsx';
import { kindOf, type TaskSettings } from '../runs/api.ts';

/** The tasks of a job as they depend on each other; a click shows the settings of one. */
export function TaskGraph({ tasks }: { readonly tasks: readonly TaskSettings[] }) {
  const [chosen] = useAddressParam('task');
  const [path] = useLocation();
  const search = useSearch();
  const opened = tasks.find(({ task_key }) => task_key === chosen);
  const addressTo = (key: string): string => {
    const params = new URLSearchParams(search);
    params.set('task', key);
    return `${path}?${params}`;
  };
  return (
    <Stack>
      <Graph
        label="Tasks of the job"
        nodes={tasks.map((task) => ({
          id: task.task_key,
          title: task.task_key,
          note: noteOf(task),
          needs: (task.depends_on ?? []).map(({ task_key: id, outcome: label }) => ({ id, label })),
          address: addressTo(task.task_key),
          isOpen: task === opened,
        }))}
      />
      {opened && <JsonView value={opened} />}
    </Stack>
  );
}

function noteOf(task: TaskSettings): string {
  const { run_if: runIf } = task;
  return runIf === undefined || runIf === 'ALL_SUCCESS'
    ? kindOf(task)
    : `${kindOf(task)}, if ${runIf.toLowerCase().replaceAll('_', ' ')}`;
}
