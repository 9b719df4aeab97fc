import { uuid } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { runKey, runPlans } from '../collections.ts';
import type { JobSettings, TaskSettings } from '../job.ts';
import type { Run, RunPlan } from '../run.ts';
import { dependantsOf } from './graph.ts';

/** The settings that a run was made with, prepared for questions about its tasks. A plan never changes: other settings are another plan. */
export class Plan {
  readonly settings: JobSettings;
  /** Of a run that was in the queue: only these tasks. */
  readonly only: readonly string[] | undefined;
  #byKey: ReadonlyMap<string, TaskSettings> | undefined;
  #dependants: ReadonlyMap<string, readonly TaskSettings[]> | undefined;

  constructor(settings: JobSettings, only?: readonly string[]) {
    this.settings = settings;
    this.only = only;
  }

  get tasks(): readonly TaskSettings[] {
    return this.settings.tasks ?? [];
  }

  settingsOf(key: string): TaskSettings | undefined {
    this.#byKey ??= new Map(this.tasks.map((task) => [task.task_key, task]));
    return this.#byKey.get(key);
  }

  dependantsOf(key: string): readonly TaskSettings[] {
    this.#dependants ??= dependantsOf(this.tasks);
    return this.#dependants.get(key) ?? [];
  }
}

/** Writes what a run is made with, and gives the id by which the run has to name it. */
export async function putPlan(tx: Tx, run: Pick<Run, 'workspaceId' | 'id'>, plan: RunPlan): Promise<string> {
  await tx.put(runPlans, runKey(run.workspaceId, run.id), plan);
  return uuid();
}

/** Of all plans that are kept in memory. */
const MOST_TASKS = 20_000;

/**
 * Plans of runs that go on. Each end of a task asks for the plan of its run, and to parse a hundred tasks for each of them costs more than all else
 * that the end does. What is kept is found by the id of the plan, which the run's document names, so that it is never out of date.
 */
export class Plans {
  /** The least recently used come first. */
  readonly #kept = new Map<string, Plan>();
  #tasks = 0;

  async of(tx: Tx, { workspaceId, id, planId }: Run): Promise<Plan | undefined> {
    const kept = planId === undefined ? undefined : this.#kept.get(planId);
    const plan = kept ?? (await read(tx, runKey(workspaceId, id)));
    if (plan && planId !== undefined) this.#keep(planId, plan);
    return plan;
  }

  #keep(id: string, plan: Plan): void {
    if (!this.#kept.delete(id)) this.#tasks += plan.tasks.length;
    this.#kept.set(id, plan);
    for (const [oldest, { tasks }] of this.#kept) {
      if (this.#tasks <= MOST_TASKS) break;
      this.#kept.delete(oldest);
      this.#tasks -= tasks.length;
    }
  }
}

async function read(tx: Tx, key: string): Promise<Plan | undefined> {
  const stored = (await tx.get(runPlans, key, 'none'))?.value;
  return stored && new Plan(stored.settings, stored.only);
}
