import type { Tx } from '../../../../kernel/store/index.ts';
import { allOf, eq, pagesOf } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { runKey, runs, taskRuns } from '../collections.ts';
import type { JobSettings, TaskSettings } from '../job.ts';
import type { Run } from '../run.ts';
import type { TaskRun } from '../task-run.ts';
import type { Plan } from './plan.ts';

/**
 * A run within one transaction: each document is read once, and changes are written once, by `save`. Loading it locks the document of the
 * run, so that two ends of tasks of one run are never decided concurrently.
 */
export class RunChange {
  readonly tx: Tx;
  readonly jar: PlatformJar;
  readonly #plan: Plan;
  run: Run;
  #isRunChanged = false;
  readonly #tasks = new Map<string, TaskRun>();
  readonly #changed = new Set<string>();

  static async load(tx: Tx, jar: PlatformJar, workspaceId: string, id: string): Promise<RunChange | undefined> {
    const key = runKey(workspaceId, id);
    const run = (await tx.get(runs, key))?.value;
    if (!run) return undefined;
    const plan = await jar.plans.of(tx, run);
    return plan && new RunChange(tx, jar, run, plan);
  }

  constructor(tx: Tx, jar: PlatformJar, run: Run, plan: Plan) {
    this.tx = tx;
    this.jar = jar;
    this.run = run;
    this.#plan = plan;
  }

  get now(): number {
    return this.jar.clock.now();
  }

  get plan(): JobSettings {
    return this.#plan.settings;
  }

  get only(): readonly string[] | undefined {
    return this.#plan.only;
  }

  get tasks(): readonly TaskSettings[] {
    return this.#plan.tasks;
  }

  settingsOf({ key }: Pick<TaskRun, 'key'>): TaskSettings {
    const settings = this.#plan.settingsOf(key);
    if (!settings) throw new Error(`the run ${this.run.id} has no task '${key}'`);
    return settings;
  }

  /** The settings of an iteration are nested in those of its for-each task. */
  settingsFor(task: TaskRun): TaskSettings {
    const settings = this.settingsOf(task);
    if (!task.iteration) return settings;
    return (settings.for_each_task as { readonly task: TaskSettings }).task;
  }

  dependantsOf(key: string): readonly TaskSettings[] {
    return this.#plan.dependantsOf(key);
  }

  changeRun(change: Partial<Run>): void {
    this.run = { ...this.run, ...change };
    this.#isRunChanged = true;
  }

  put(task: TaskRun): TaskRun {
    this.#tasks.set(task.id, task);
    this.#changed.add(task.id);
    return task;
  }

  async task(id: string): Promise<TaskRun | undefined> {
    const known = this.#tasks.get(id);
    if (known) return known;
    const found = (await this.tx.get(taskRuns, runKey(this.run.workspaceId, id)))?.value;
    if (found) this.#tasks.set(id, found);
    return found;
  }

  /** The newest attempt of each of these tasks. */
  async newest(keys: readonly string[]): Promise<ReadonlyMap<string, TaskRun>> {
    const found = new Map<string, TaskRun>();
    const isNewest = ({ isSuperseded, iteration }: TaskRun): boolean =>
      isSuperseded !== true && iteration === undefined;
    for (const task of this.#tasks.values()) if (isNewest(task)) found.set(task.key, task);
    const missing = keys.filter((key) => !found.has(key));
    if (missing.length > 0) {
      for (const task of await this.#read(missing)) if (isNewest(task)) found.set(task.key, task);
    }
    return new Map(keys.flatMap((key) => (found.has(key) ? [[key, found.get(key) as TaskRun]] : [])));
  }

  /** The newest attempts of all tasks. */
  all(): Promise<ReadonlyMap<string, TaskRun>> {
    return this.newest(this.tasks.map(({ task_key }) => task_key));
  }

  async iterationsOf(id: string): Promise<readonly TaskRun[]> {
    const filter = { op: 'eq', field: 'iterationOf', value: runKey(this.run.workspaceId, id) } as const;
    const found = new Map<string, TaskRun>();
    for await (const page of pagesOf(this.tx, taskRuns, { filter }))
      for (const { value } of page) found.set(value.id, value);
    for (const task of this.#tasks.values()) if (task.iteration?.of === id) found.set(task.id, task);
    return [...found.values()].filter((it) => it.isSuperseded !== true);
  }

  async #read(keys: readonly string[]): Promise<readonly TaskRun[]> {
    const run = allOf(eq('run', runKey(this.run.workspaceId, this.run.id)), eq('newest', true));
    const filter = keys.length > 50 ? run : allOf(run, { op: 'in', field: 'key', values: keys });
    const found: TaskRun[] = [];
    for await (const page of pagesOf(this.tx, taskRuns, { filter })) {
      for (const { value } of page) {
        // Changes of this transaction take precedence over the stored document.
        const known = this.#tasks.get(value.id);
        if (!known) this.#tasks.set(value.id, value);
        found.push(known ?? value);
      }
    }
    return found;
  }

  async save(): Promise<void> {
    const { workspaceId, id } = this.run;
    if (this.#isRunChanged) await this.tx.put(runs, runKey(workspaceId, id), this.run);
    this.#isRunChanged = false;
    const changed = [...this.#changed].map((each) => this.#tasks.get(each) as TaskRun);
    this.#changed.clear();
    if (changed.length === 1) {
      const [task] = changed as [TaskRun];
      await this.tx.put(taskRuns, runKey(workspaceId, task.id), task);
    } else if (changed.length > 1) {
      await this.tx.putAll(
        taskRuns,
        changed.map((task) => [runKey(workspaceId, task.id), task] as const),
      );
    }
  }
}
