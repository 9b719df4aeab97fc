import type { Jar } from '../../../kernel/jar-context.ts';
import type { OpenService } from '../../../kernel/service.ts';
import { removals, runtimes } from '../collections.ts';
import { engineOf } from '../engines/choose.ts';
import type { GroupEngine } from '../engines/types.ts';
import { newsOf } from './news.ts';
import { syncWork } from './transitions.ts';

const PAGE = 200;

/** Keeps an eye on the engine while the jar is open. */
export async function openContainers(jar: Jar): Promise<OpenService> {
  const engine = await engineOf(jar);
  const report = (error: unknown): void => {
    if (!jar.closing.aborted) jar.log.warn({ err: error }, 'the container engine could not be looked at');
  };
  const watching = await engine.watch((uid) => void wake(jar, uid).catch(report));
  const catchUp = async (): Promise<void> => {
    // Nothing happens to a simulated group behind the jar's back.
    if (engine.name === 'simulated') return;
    await removeOrphans(jar, engine);
    await wakeAll(jar);
  };
  let catchingUp = catchUp().catch(report);
  return {
    announce: { name: 'engine', text: engine.description },
    async stateReplaced() {
      catchingUp = catchingUp.then(catchUp).catch(report);
    },
    async close() {
      watching.close();
      await catchingUp;
      await engine.close();
    },
  };
}

/** Has a group looked at because of something that was heard of it. */
async function wake(jar: Jar, uid: string): Promise<void> {
  if (newsOf(jar).hear(uid) || jar.closing.aborted) return;
  const filter = { op: 'eq', field: 'uid', value: uid } as const;
  const [found] = (await jar.store.query(runtimes, { filter, limit: 1 })).items;
  const known = found?.key ?? ((await jar.store.get(removals, uid)) && '');
  if (known !== undefined) await jar.store.transact((tx) => tx.wake(syncWork(uid, known, jar.clock.now())));
}

/** After a time without looking: anything may have happened to any group. */
async function wakeAll(jar: Jar): Promise<void> {
  let after: Awaited<ReturnType<Jar['store']['query']>>['next'];
  do {
    const page = await jar.store.query(runtimes, { limit: PAGE, ...(after && { after }) });
    const awake = page.items.filter(({ value }) => value.wanted === 'Running' || value.transition);
    await jar.store.transact(async (tx) => {
      for (const { key, value } of awake) await tx.wake(syncWork(value.uid, key, jar.clock.now()));
    });
    after = page.next;
  } while (after && !jar.closing.aborted);
}

/** What the engine has of groups that the jar knows nothing of: a reset, a snapshot or another store made them forgotten. */
async function removeOrphans(jar: Jar, engine: GroupEngine): Promise<void> {
  for (const uid of await engine.uids()) {
    if (jar.closing.aborted) return;
    const filter = { op: 'eq', field: 'uid', value: uid } as const;
    if ((await jar.store.count(runtimes, { filter })) > 0) continue;
    if (await jar.store.get(removals, uid)) {
      await jar.store.transact((tx) => tx.wake(syncWork(uid, '', jar.clock.now())));
      continue;
    }
    jar.log.info({ uid }, 'clearing away what is left of a container group that this jar does not know');
    await engine.remove(uid);
  }
}
