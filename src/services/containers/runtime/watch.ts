import { EngineUnavailable } from '../../../kernel/engines/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { type Filter, pagesOf } from '../../../kernel/store/index.ts';
import { after } from '../../../kernel/time/index.ts';
import { removals, runtimes } from '../collections.ts';
import type { ContainersJar } from '../jar.ts';
import { syncWork } from './sync-work.ts';

const PAGE = 200;
/** Interval between attempts to reach an unavailable engine. */
const LOOK_AGAIN_MS = 5000;

const RUN_BY_OTHERS: Filter = { op: 'in', field: 'engine', values: ['docker', 'kubernetes'] };

/** Wakes all groups that may have changed while the engine was not watched: at the start, and after all state was replaced. */
export async function catchUp(jar: ContainersJar, report: (error: unknown) => void): Promise<void> {
  await wakeRemovals(jar);
  // Simulated groups change only through the jar, so only groups that another engine ran until now are woken.
  if (jar.engine.name === 'simulated') return wakeAll(jar, RUN_BY_OTHERS);
  await wakeAll(jar);
  await findOrphans(jar, report);
}

/** Wakes the work of a group after an engine event. */
export async function wakeGroup(jar: ContainersJar, uid: string): Promise<void> {
  if (jar.news.hear(uid) || jar.closing.aborted) return;
  const filter = { op: 'eq', field: 'uid', value: uid } as const;
  const [found] = (await jar.store.query(runtimes, { filter, limit: 1 })).items;
  const known = found?.key ?? ((await jar.store.get(removals, uid)) && '');
  if (known !== undefined) await jar.store.transact((tx) => tx.wake(syncWork(uid, known, jar.clock.now())));
}

/** Wakes all groups after a gap in watching, because any of them may have changed. */
async function wakeAll(jar: Jar, filter?: Filter): Promise<void> {
  for await (const page of pagesOf(jar.store, runtimes, { page: PAGE, ...(filter && { filter }) })) {
    const awake = page.filter(({ value }) => value.wanted === 'Running' || value.transition);
    await jar.store.transact(async (tx) => {
      for (const { key, value } of awake) await tx.wake(syncWork(value.uid, key, jar.clock.now()));
    });
    if (jar.closing.aborted) return;
  }
}

/** Wakes the removal of groups that were deleted while their engine was not in use. */
async function wakeRemovals(jar: ContainersJar): Promise<void> {
  for await (const page of pagesOf(jar.store, removals, { page: PAGE })) {
    const own = page.filter(({ value }) => value.engine === jar.engine.name);
    await jar.store.transact(async (tx) => {
      for (const { value } of own) await tx.wake(syncWork(value.uid, '', jar.clock.now()));
    });
    if (jar.closing.aborted) return;
  }
}

/**
 * Groups on the engine that the jar does not know (after a reset, a restored snapshot or a change of store) are treated as deleted, so that
 * they are removed however long that takes.
 */
async function findOrphans(jar: ContainersJar, report: (error: unknown) => void): Promise<void> {
  const uids = await uidsOnceItAnswers(jar, report);
  for (const uid of uids) {
    if (jar.closing.aborted) return;
    const filter = { op: 'eq', field: 'uid', value: uid } as const;
    if ((await jar.store.count(runtimes, { filter })) > 0 || (await jar.store.get(removals, uid))) continue;
    jar.log.info({ uid }, 'removing a container group that this jar does not know from the engine');
    await jar.store.transact(async (tx) => {
      await tx.put(removals, uid, { uid, resourceId: '', engine: jar.engine.name });
      await tx.wake(syncWork(uid, '', jar.clock.now()));
    });
  }
}

async function uidsOnceItAnswers(jar: ContainersJar, report: (error: unknown) => void): Promise<readonly string[]> {
  for (let isFirst = true; !jar.closing.aborted; isFirst = false) {
    try {
      return await jar.engine.uids();
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      if (isFirst) report(error);
    }
    await pauseUntilClosing(jar);
  }
  return [];
}

function pauseUntilClosing({ closing }: Jar): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      closing.removeEventListener('abort', end);
      resolve();
    };
    const cancel = after(LOOK_AGAIN_MS, end);
    closing.addEventListener('abort', end);
  });
}
