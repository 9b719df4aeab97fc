import { resources } from '../../../kernel/arm/index.ts';
import {
  EngineUnavailable,
  type GroupEngine,
  type GroupPlan,
  type GroupStatus,
} from '../../../kernel/engines/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { settle, workHandler } from '../../../kernel/work/index.ts';
import { planOf } from '../api/plan-of.ts';
import { groupSecrets, keptLogs, type Runtime, removals, runtimes } from '../collections.ts';
import type { ContainersJar } from '../jar.ts';
import { saveStatus } from './save-status.ts';
import { DEPLOYMENT_DEADLINE_MS } from './states.ts';
import { SYNC } from './sync-work.ts';

/** Interval between attempts to reach an unavailable engine, by the jar's clock. A recovery is usually noticed sooner. */
const ENGINE_AWAY_MS = 5000;
const KEPT_LOGS_PAGE = 100;

/** Brings one group to its target state, or removes a deleted one from the engine. */
export const syncGroup = workHandler(SYNC, async (item, jar: ContainersJar, halt) => {
  const { uid, key } = item.payload;
  const { news } = jar;
  news.begin(uid);
  try {
    const runtime = (await jar.store.get(runtimes, key))?.value;
    const round = runtime?.uid === uid ? new Round(jar, key, runtime, halt) : undefined;
    const again = await (round ? round.run() : clearAway(jar, uid));
    let heard = false;
    await settle(jar.store, item, async (tx) => {
      heard = news.end(uid) || heard;
      // The target state may have changed in the meantime.
      if (heard || (round && (await round.isOutdated(tx)))) return jar.clock.now();
      return again;
    });
  } finally {
    news.end(uid);
  }
});

class Round {
  readonly #jar: ContainersJar;
  readonly #key: string;
  readonly #runtime: Runtime;
  readonly #halt: AbortSignal;

  constructor(jar: ContainersJar, key: string, runtime: Runtime, halt: AbortSignal) {
    this.#jar = jar;
    this.#key = key;
    this.#runtime = runtime;
    this.#halt = halt;
  }

  /** Returns when the next round is due. */
  async run(): Promise<number | undefined> {
    const plan = await this.#plan();
    if (!plan) return undefined;
    const { engine, outage } = this.#jar;
    const { uid, resourceId } = this.#runtime;
    try {
      const again = await this.#sync(engine, plan);
      outage.over(uid);
      return again;
    } catch (error) {
      if (this.#halt.aborted) return this.#jar.clock.now();
      if (!(error instanceof EngineUnavailable)) throw error;
      outage.met(uid, resourceId, error);
      // The deadline may have passed even so.
      await this.#save(engine, plan, undefined);
      return this.#jar.clock.now() + ENGINE_AWAY_MS;
    }
  }

  /** True if the group was deployed, stopped or deleted during this round. */
  async isOutdated(tx: Tx): Promise<boolean> {
    const now = (await tx.get(runtimes, this.#key, 'none'))?.value;
    const { uid, generation, wanted } = this.#runtime;
    return now?.uid !== uid || now.generation !== generation || now.wanted !== wanted;
  }

  async #sync(engine: GroupEngine, plan: GroupPlan): Promise<number | undefined> {
    const { wanted, generation, keepSandbox, status, transition } = this.#runtime;
    const result = await engine.sync({
      plan,
      wanted,
      generation,
      keepSandbox,
      status,
      now: () => this.#jar.clock.now(),
      save: (step) => this.#save(engine, plan, step),
      keepLog: (container, text) => this.#keepLog(container, text),
      halt: this.#halt,
    });
    const saved = await this.#save(engine, plan, result.status);
    // The sync was halted half-way; the next round continues.
    if (this.#halt.aborted) return this.#jar.clock.now();
    const stillUnderWay = saved && (await this.#transition());
    const deadline = stillUnderWay && transition ? transition.startedAt + DEPLOYMENT_DEADLINE_MS : undefined;
    return earliest(result.again, deadline);
  }

  async #save(engine: GroupEngine, plan: GroupPlan, status: GroupStatus | undefined): Promise<boolean> {
    const change = { key: this.#key, seen: this.#runtime, plan, engine: engine.name, status };
    return this.#jar.store.transact((tx) => saveStatus(tx, this.#jar, change));
  }

  async #transition(): Promise<boolean> {
    return (await this.#jar.store.get(runtimes, this.#key))?.value.transition !== undefined;
  }

  async #plan(): Promise<GroupPlan | undefined> {
    const { store, vault } = this.#jar;
    const resource = (await store.get(resources, this.#key))?.value;
    if (!resource) return undefined;
    return planOf(resource, this.#runtime, (await store.get(groupSecrets, this.#key))?.value, vault);
  }

  async #keepLog(container: string, text: Buffer): Promise<void> {
    const key = `${this.#runtime.uid}/${container}`;
    await this.#jar.store.transact((tx) => tx.put(keptLogs, key, { content: text.toString('base64') }));
  }
}

/** Removes a deleted group from the engine; done when nothing is left of it there. */
async function clearAway(jar: ContainersJar, uid: string): Promise<number | undefined> {
  const removal = (await jar.store.get(removals, uid))?.value;
  if (!removal) return undefined;
  const { engine, outage } = jar;
  if (engine.name !== removal.engine) {
    const { resourceId } = removal;
    jar.log.warn(
      { group: resourceId },
      `cannot remove a group from the engine ${removal.engine}: this engine is not in use`,
    );
    return undefined;
  }
  try {
    await engine.remove(uid);
  } catch (error) {
    outage.met(uid, removal.resourceId, error as Error);
    return jar.clock.now() + ENGINE_AWAY_MS;
  }
  outage.over(uid);
  await jar.store.transact(async (tx) => {
    await tx.delete(removals, uid);
    const logs = await tx.query(keptLogs, { prefix: `${uid}/`, limit: KEPT_LOGS_PAGE });
    for (const { key } of logs.items) await tx.delete(keptLogs, key);
  });
  return undefined;
}

const earliest = (...times: (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};
