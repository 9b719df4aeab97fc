import { allOf, eq, readAll, type Tx } from '../../../../kernel/store/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import { jobKey, runPlans, runs } from '../collections.ts';
import type { Job, JobSettings } from '../job.ts';
import { putPlan } from '../running/plan.ts';
import { runDue } from '../running/work.ts';

/** A change of `timeout_seconds` applies to active runs too; all other changes apply to later runs only. */
export async function applyTimeout(tx: Tx, job: Job, before: JobSettings): Promise<void> {
  const { timeout_seconds: seconds = 0 } = job.settings;
  if (seconds === (before.timeout_seconds ?? 0)) return;
  const filter = allOf(eq('job', jobKey(job.workspaceId, job.id)), eq('active', true));
  for (const { key } of await readAll(tx, runs, { filter })) {
    const run = (await tx.get(runs, key))?.value;
    const plan = (await tx.get(runPlans, key))?.value;
    if (!plan || run?.startedAt === undefined || run.state === 'TERMINATED') continue;
    const planId = await putPlan(tx, run, { ...plan, settings: { ...plan.settings, timeout_seconds: seconds } });
    await tx.put(runs, key, { ...run, planId });
    if (seconds > 0) await tx.schedule(runDue(key, run.startedAt + seconds * SECOND_MS));
    else await tx.cancel(runDue(key, 0).id);
  }
}
