import { type GroupStatus, simulatedCollections } from '../../../../kernel/engines/index.ts';
import { collection } from '../../../../kernel/store/index.ts';

/** A task in a container: what it runs, sealed, and how it is. The key is that of the task run. */
export interface TaskContainer {
  readonly uid: string;
  readonly image: string;
  /** The engine that it runs on. */
  readonly engine: string;
  /** `Program` as JSON. */
  readonly sealed: string;
  readonly status: GroupStatus;
}

export const taskContainers = collection<TaskContainer>('platform.task_containers', {
  secrets: {
    what: 'programs of job tasks that ran in containers',
    afterwards: 'They are left out: these tasks fail, run their jobs again',
    remove: () => undefined,
  },
});

/** An engine needs them; tasks are simulated without containers. */
export const simulated = simulatedCollections('platform');

export const CONTAINER_COLLECTIONS = [taskContainers, ...Object.values(simulated)] as const;
