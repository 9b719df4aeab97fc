import { allOf, eq, type Tx } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { jobKey, jobs, runs } from '../collections.ts';
import type { Job } from '../job.ts';
import type { Run } from '../run.ts';
import { startRun } from '../running/start-run.ts';
import { triggersOf } from '../triggers/plan.ts';
import { checkCondition } from './sql-condition.ts';
import { firingAfter } from './timing.ts';
import { FIRE_JOB } from './work.ts';

/** Starts the run of a job that is due. The run and the next firing commit together; missed firings are coalesced into one. */
export const fireJob = workHandler(FIRE_JOB, async (item, jar: PlatformJar) => {
  await jar.taskImages.refresh();
  await jar.store.transact(async (tx) => {
    const job = (await tx.get(jobs, item.payload.key))?.value;
    if (!job || job.settings.continuous) {
      // Completed first: a run without programs ends in this transaction, and its end schedules this item again.
      await tx.complete(item);
      if (job) await fireContinuous(tx, jar, job);
      return;
    }
    const next = await fire(tx, jar, job, item.dueAt);
    if (next === undefined) await tx.complete(item);
    else await tx.settle(item, async () => next);
  });
});

/** The end of the active run, which may start here, schedules the next run. */
async function fireContinuous(tx: Tx, jar: PlatformJar, job: Job): Promise<void> {
  const firing = firingAfter(job.settings, jar.clock.now());
  if (firing && !(await hasActiveRun(tx, job))) await begin(tx, jar, job, firing.trigger);
}

/** Returns the time of the next firing. */
async function fire(tx: Tx, jar: PlatformJar, job: Job, dueAt: number): Promise<number | undefined> {
  if (isPaused(job)) return undefined;
  const firing = firingAfter(job.settings, jar.clock.now(), dueAt);
  const { sql_condition: condition } = job.settings.schedule ?? {};
  const looked = condition ? await checkCondition(tx, jar, job, condition) : { fires: true, job };
  if (looked.fires) await begin(tx, jar, looked.job, firing?.trigger ?? 'PERIODIC');
  else if (looked.job !== job) await tx.put(jobs, jobKey(job.workspaceId, job.id), looked.job);
  return firing?.at;
}

/** Every schedule and trigger of the job is paused or removed. */
const isPaused = ({ settings }: Job): boolean =>
  (settings.schedule?.pause_status ?? 'PAUSED') === 'PAUSED' && triggersOf(settings).length === 0;

/** Called in a transaction that has locked the job. */
export async function begin(
  tx: Tx,
  jar: PlatformJar,
  job: Job,
  trigger: Run['trigger'],
  cause: Pick<Run, 'updatedTables'> = {},
): Promise<void> {
  const { workspaceId, accountId, settings } = job;
  await startRun(tx, jar, {
    job,
    workspace: { id: workspaceId, accountId },
    settings,
    name: settings.name ?? 'Untitled',
    type: 'JOB_RUN',
    trigger,
    createdBy: job.createdBy,
    runAs: job.runAs,
    parameters: (settings.parameters ?? []).map(({ name, default: usual }) => ({ name, default: usual, value: usual })),
    overriding: {},
    ...cause,
  });
}

const hasActiveRun = async (tx: Tx, { workspaceId, id }: Job): Promise<boolean> => {
  const filter = allOf(eq('job', jobKey(workspaceId, id)), eq('active', true));
  return (await tx.query(runs, { filter, limit: 1 })).items.length > 0;
};
