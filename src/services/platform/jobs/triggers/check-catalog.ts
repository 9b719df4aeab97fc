import { readAll, type Tx } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { settleWith } from '../../compute/settle-with.ts';
import type { PlatformJar } from '../../jar.ts';
import { jobs } from '../collections.ts';
import type { UpdatedTable } from '../run.ts';
import { begin } from '../schedule/fire.ts';
import { dueOf } from './check.ts';
import { type CatalogTrigger, type CatalogWatch, catalogTriggers, catalogWatches } from './collections.ts';
import { CHECK_CATALOG } from './work.ts';

interface Found {
  readonly key: string;
  readonly value: CatalogWatch;
}

/** Starts a run for changed tables or models, once the trigger's waiting times have passed. */
export const checkCatalog = workHandler(CHECK_CATALOG, async (item, jar: PlatformJar) => {
  const { job: ofJob, trigger: key } = item.payload;
  await jar.taskImages.refresh();
  await settleWith(jar.store, item, async (tx) => {
    // Same lock order as a change of the job.
    const job = (await tx.get(jobs, ofJob))?.value;
    const trigger = (await tx.get(catalogTriggers, key))?.value;
    const watches = trigger ? await watchesOf(tx, key) : [];
    return async () => {
      if (!job || !trigger) return undefined;
      const dueAt = dueAtOf(trigger, watches);
      const now = jar.clock.now();
      if (dueAt === undefined || dueAt > now) return dueAt;
      await tx.put(catalogTriggers, key, { ...trigger, firedAt: now });
      for (const { key: ofWatch, value } of watches) {
        const { seen: _, ...rest } = value;
        await tx.put(catalogWatches, ofWatch, rest);
      }
      if (trigger.event === 'TABLE_UPDATED') await begin(tx, jar, job, 'TABLE', { updatedTables: updatesIn(watches) });
      else await begin(tx, jar, job, 'MODEL');
      return undefined;
    };
  });
});

/** The watches of a trigger, each locked, in the same order as changes lock them. */
async function watchesOf(tx: Tx, trigger: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const { key } of await readAll(tx, catalogWatches, { prefix: `${trigger}/`, order: [{ field: 'key' }] })) {
    const watch = (await tx.get(catalogWatches, key))?.value;
    if (watch) found.push({ key, value: watch });
  }
  return found;
}

/** Undefined until enough of the names have changed. */
function dueAtOf({ all, ...trigger }: CatalogTrigger, watches: readonly Found[]): number | undefined {
  const times = watches.flatMap(({ value }) => value.seen?.at ?? []);
  if (times.length === 0 || (all && times.length < watches.length)) return undefined;
  return dueOf({ ...trigger, arrivedAt: Math.max(...times) });
}

const updatesIn = (watches: readonly Found[]): readonly UpdatedTable[] =>
  watches.flatMap(({ value: { name, seen } }) =>
    seen?.version === undefined ? [] : [{ name, version: seen.version, at: seen.at }],
  );
