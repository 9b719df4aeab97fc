import { uuid } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { runKey, runPlans } from '../collections.ts';
import type { JobSettings, TaskSettings } from '../job.ts';
import type { Run, RunPlan } from '../run.ts';
import { dependantsOf } from './graph.ts';

/** The settings that a run was created with, prepared for lookups by task. A plan is immutable: changed settings are a new plan. */
export class Plan {
  readonly settings: JobSettings;
  /** Set for a queued run that runs only these tasks. */
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

/** Stores the plan of a run and returns its id, which the run has to store as `planId`. */
export async function putPlan(tx: Tx, run: Pick<Run, 'workspaceId' | 'id'>, plan: RunPlan): Promise<string> {
  await tx.put(runPlans, runKey(run.workspaceId, run.id), plan);
  return uuid();
}

/** Limit of the sum over all cached plans. */
const MOST_TASKS = 20_000;

/**
 * Cache of the plans of active runs. Every end of a task needs the plan of its run, and parsing a hundred tasks each time would cost more
 * than the rest of that transaction. The cache key is the plan id in the run's document, so entries are never stale.
 */
export class Plans {
  /** The least recently used entry comes first. */
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
