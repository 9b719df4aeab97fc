import { workHandler } from '../../../../kernel/work/index.ts';
import { SCHEMAS } from '../../catalog/containers/schemas.ts';
import { byId } from '../../catalog/core/chain.ts';
import { removeSecurable } from '../../catalog/core/removal.ts';
import type { PlatformJar } from '../../jar.ts';
import { roomRuns } from '../collections.ts';
import { EXPIRE_RUN, expireId } from '../work.ts';
import { KEPT_MS } from './leave.ts';

/** Due work: removes the output schema of a run, and later the record of the run. */
export const expireRun = workHandler(EXPIRE_RUN, (item, jar: PlatformJar) =>
  jar.store.transact(async (tx) => {
    const { key } = item.payload;
    const run = (await tx.get(roomRuns, key))?.value;
    const now = jar.clock.now();
    const schema = run?.output && (await byId(tx, run.output.id));
    if (schema && (run?.output?.expiresAt ?? 0) <= now) await removeSecurable(tx, jar, SCHEMAS, schema);
    const until = run && (run.endedAt ?? now) + KEPT_MS;
    if (until !== undefined && until > now) {
      await tx.schedule(EXPIRE_RUN.at(until, { key }, expireId(key)));
      return;
    }
    await tx.delete(roomRuns, key);
    await tx.complete(item);
  }),
);
