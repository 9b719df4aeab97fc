import { useEffect, useState } from 'react';
import { addressOf } from '../../../shared/address.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { usePlatform } from '../api.ts';
import { isActive, JOBS_CHANGE, newestOf, readRun } from './api.ts';
import { RunOverview } from './overview.tsx';
import styles from './run.module.css';
import { TaskDetail } from './task-detail.tsx';

interface Props {
  readonly id: string;
  /** The key of the task that is open. */
  readonly task: string | undefined;
}

/** The end of a container is announced by no signal. */
const ACTIVE_MS = 3_000;

/** One run: its tasks as a graph, and the output of the open task beside it. */
export function RunPage({ id, task }: Props) {
  const platform = usePlatform();
  const [isOver, setOver] = useState(false);
  const run = useData([platform.key, 'run', id], (signal) => readRun(platform, id, signal), {
    on: JOBS_CHANGE,
    everyMs: isOver ? undefined : ACTIVE_MS,
  });
  const { data } = run;
  const hasEnded = data !== undefined && !isActive(data.state);
  useEffect(() => setOver(hasEnded), [hasEnded]);
  if (!data) return <FailureNotice failure={run.failure} what="The run" />;
  const attempts = (data.tasks ?? []).filter(({ task_key }) => task_key === task);
  const [opened] = newestOf(attempts);
  return (
    <Explorer
      label="Task"
      closed={addressOf('platform', 'runs', id)}
      list={
        <div className={styles.overview}>
          <FailureNotice failure={run.failure} what="The run" />
          <RunOverview id={id} run={data} task={task} after={run.readAgain} />
        </div>
      }
      detail={opened && <TaskDetail key={opened.task_key} run={id} attempts={attempts} />}
    />
  );
}
