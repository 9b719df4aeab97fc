import type { Reader, Tx } from '../../../../kernel/store/index.ts';
import { eq, SLICE } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import type { AclEntry } from '../../permissions/acl.ts';
import type { Guarded } from '../../permissions/guard.ts';
import { jobKey, jobs, runs } from '../collections.ts';
import { SPREAD_ACL } from './work.ts';

/** Gives the permissions API access to jobs: a `PermissionedKind`. */
export const guardedJobs = {
  async find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined> {
    const found = (await reader.get(jobs, jobKey(workspaceId, id)))?.value;
    return found && { type: 'jobs', id, acl: found.acl };
  },
  /** Runs carry a copy of the permissions of their job, so that lists of runs can use an index. Due work updates the copies. */
  async save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void> {
    const key = jobKey(workspaceId, id);
    const found = (await tx.get(jobs, key))?.value;
    if (!found) return;
    await tx.put(jobs, key, { ...found, acl });
    // 0 is due immediately: the jar's clock never goes back before it.
    await tx.schedule(SPREAD_ACL.at(0, { key }, `${SPREAD_ACL.kind}:${key}`));
  },
};

/** Copies the current permissions of a job to its runs. */
export const spreadAcl = workHandler(SPREAD_ACL, async (item, { store }: PlatformJar, halt: AbortSignal) => {
  const { key } = item.payload;
  for (let after: string | undefined = ''; after !== undefined && !halt.aborted; ) {
    const from: string = after;
    after = await store.transact(async (tx) => {
      const acl = (await tx.get(jobs, key, 'share'))?.value.acl;
      if (!acl) return undefined;
      const { items, next } = await tx.query(runs, {
        filter: eq('job', key),
        order: [{ field: 'key' }],
        limit: SLICE,
        ...(from !== '' && { after: [from] }),
      });
      for (const { key: run } of items) {
        const current = (await tx.get(runs, run))?.value;
        if (current && JSON.stringify(current.acl) !== JSON.stringify(acl))
          await tx.put(runs, run, { ...current, acl });
      }
      return next && items.at(-1)?.key;
    });
  }
  if (halt.aborted) throw new Error('the jar is stopping; the rest is done after the next start');
});
