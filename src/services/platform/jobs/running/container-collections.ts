import { type GroupStatus, simulatedCollections } from '../../../../kernel/engines/index.ts';
import { collection } from '../../../../kernel/store/index.ts';

/** A task in a container: its program, sealed, and its status. The key is that of the task run. */
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
    afterwards: 'They are left out: these tasks fail. Run their jobs again',
    remove: () => undefined,
  },
});

/** The engine requires these collections; simulated tasks have no containers. */
export const simulated = simulatedCollections('platform');

export const CONTAINER_COLLECTIONS = [taskContainers, ...Object.values(simulated)] as const;
