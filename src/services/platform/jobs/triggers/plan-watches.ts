import { eq, readAll, type Tx } from '../../../../kernel/store/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { membersOf, numberOf, textOf, textsOf } from '../../engine/json.ts';
import { jobKey } from '../collections.ts';
import type { Job } from '../job.ts';
import { type CatalogEvent, type CatalogTrigger, catalogTriggers, catalogWatches, watchKey } from './collections.ts';
import { catalogCheckId } from './work.ts';

/** Derives the triggers of tables and models from the settings of a job. */

export const waitsOf = (times: JsonMembers): Pick<CatalogTrigger, 'betweenMs' | 'waitMs'> => ({
  betweenMs: (numberOf(times.min_time_between_triggers_seconds) ?? 0) * SECOND_MS,
  waitMs: (numberOf(times.wait_after_last_change_seconds) ?? 0) * SECOND_MS,
});

interface Wanted {
  readonly event: CatalogEvent;
  readonly all: boolean;
  readonly names: readonly string[];
  readonly aliases: readonly string[];
  readonly times: JsonMembers;
}

const lower = (values: readonly string[]): readonly string[] => [...new Set(values.map((each) => each.toLowerCase()))];

function wantedBy(trigger: JsonMembers): Wanted | undefined {
  const { model } = trigger;
  if (model !== undefined) {
    const { condition, securable_name: name, aliases, ...times } = membersOf(model);
    const names = [(textOf(name) ?? '').toLowerCase()];
    return { event: condition as CatalogEvent, all: false, names, aliases: lower(textsOf(aliases)), times };
  }
  // `table` is the older name of `table_update`.
  const tables = trigger.table_update ?? trigger.table;
  if (tables === undefined) return undefined;
  const { table_names: names, condition, ...times } = membersOf(tables);
  return { event: 'TABLE_UPDATED', all: condition === 'ALL_UPDATED', names: lower(textsOf(names)), aliases: [], times };
}

/** Called in the transaction that writes the job. */
export async function planWatches(tx: Tx, job: Job, key: string, trigger: JsonMembers): Promise<void> {
  const wanted = wantedBy(trigger);
  if (!wanted) return;
  const { event, all, names, aliases, times } = wanted;
  const { workspaceId, accountId } = job;
  const ofJob = jobKey(workspaceId, job.id);
  await tx.put(catalogTriggers, key, { job: ofJob, event, all, ...waitsOf(times) });
  for (const [index, name] of names.entries())
    await tx.put(catalogWatches, watchKey(key, index), {
      job: ofJob,
      workspaceId,
      accountId,
      event,
      name,
      ...(aliases.length > 0 && { aliases }),
    });
}

export async function forgetWatches(tx: Tx, job: string): Promise<void> {
  const ofJob = { filter: eq('job', job) };
  for (const { key } of await readAll(tx, catalogTriggers, ofJob)) {
    await tx.delete(catalogTriggers, key);
    await tx.cancel(catalogCheckId(key));
  }
  for (const { key } of await readAll(tx, catalogWatches, ofJob)) await tx.delete(catalogWatches, key);
}
