import { later, pause, processTime } from '../../time/timers.ts';
import type { EngineContext } from '../context.ts';
import { KEPT_LOG_BYTES, KEPT_LOG_LINES } from '../kept-log.ts';
import { DEFAULT_STOP_GRACE_SECONDS } from '../settings.ts';
import {
  type ContainerTarget,
  EngineUnavailable,
  type ExecOptions,
  type GroupEngine,
  type LogOptions,
  type SyncRequest,
  type SyncResult,
  type Terminal,
} from '../types.ts';
import { ApiProblem, asking } from './api-errors.ts';
import type { Connection } from './connection.ts';
import { DeletedPods } from './deleted-pods.ts';
import { readLog } from './logs.ts';
import { type GroupObjects, isEnding, LabelledObjects } from './objects.ts';
import { GroupRound } from './sync.ts';
import { openAttach, openExec } from './terminal.ts';
import { followGroups } from './watch.ts';

/** Polling interval while a group is being removed: the first, and the longest. */
const FIRST_LOOK_MS = 20;
const LAST_LOOK_MS = 1_000;
/** Delay before a group is synchronised again after the cluster did not respond. */
const TRY_AGAIN_MS = 2_000;
/** Time that a node may take to remove a Pod, after the grace period. */
const CLEARING_MS = 15_000;

/** Runs a group as a Pod. The cluster itself does what a supervisor does for other engines: init order, restarts, backoff, probes. */
export class KubernetesEngine implements GroupEngine {
  readonly name = 'kubernetes';
  readonly description: string;
  readonly #context: EngineContext;
  readonly #connection: Connection;
  readonly #objects: LabelledObjects;
  readonly #graceSeconds: number;
  readonly #deletedPods = new DeletedPods();
  readonly #watches = new Map<{ close(): void }, (uid: string) => void>();
  readonly #retries = new Map<string, () => void>();

  constructor(context: EngineContext, connection: Connection, description: string) {
    this.description = description;
    this.#context = context;
    this.#connection = connection;
    this.#objects = new LabelledObjects(context.owner, connection);
    this.#graceSeconds = context.settings.stopGraceSeconds ?? DEFAULT_STOP_GRACE_SECONDS;
  }

  get trouble(): string | undefined {
    return this.#connection.requests.hangDetector.trouble;
  }

  sync(request: SyncRequest): Promise<SyncResult> {
    const context = {
      owner: this.#context.owner,
      objects: this.#objects,
      graceSeconds: this.#graceSeconds,
      deletedPods: this.#deletedPods,
      keepLogs: () => this.#keepLogs(request),
    };
    return unavailable(() => new GroupRound(context, request).run()).catch((error: unknown) => {
      if (error instanceof EngineUnavailable) this.#lookAgain(request.plan.uid);
      throw error;
    });
  }

  /** In real time, because the cluster uses it; the jar's clock may be frozen. */
  #lookAgain(uid: string): void {
    if (this.#retries.has(uid) || this.#watches.size === 0) return;
    const cancel = later(TRY_AGAIN_MS, () => {
      this.#retries.delete(uid);
      for (const listener of this.#watches.values()) listener(uid);
    });
    this.#retries.set(uid, cancel);
  }

  /** If a node cannot return logs, its containers can still be stopped. */
  async #keepLogs({ plan, keepLog }: SyncRequest): Promise<void> {
    const options = { tail: KEPT_LOG_LINES, timestamps: false, maxBytes: KEPT_LOG_BYTES };
    for (const { name } of [...plan.init, ...plan.containers]) {
      const target = { uid: plan.uid, container: name };
      const text = await readLog(this.#connection, target, options).catch(() => Buffer.alloc(0));
      if (text.length > 0) await keepLog(name, text);
    }
  }

  remove(uid: string): Promise<void> {
    return unavailable(async () => {
      const until = processTime() + this.#graceSeconds * 1000 + CLEARING_MS;
      for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, LAST_LOOK_MS)) {
        const left = await this.#objects.ofGroup(uid);
        if (isEmpty(left)) {
          this.#deletedPods.forget(uid);
          return;
        }
        await this.#deleteAll(left);
        if (processTime() > until) throw new EngineUnavailable(`removing the group ${uid} takes too long`);
        await pause(wait);
      }
    });
  }

  async #deleteAll({ pod, secrets, services }: GroupObjects): Promise<void> {
    await Promise.all([
      ...(pod && !isEnding(pod) ? [this.#objects.deletePod(pod, this.#graceSeconds)] : []),
      ...secrets.filter((it) => !isEnding(it)).map((it) => this.#objects.delete('Secret', it)),
      ...services.filter((it) => !isEnding(it)).map((it) => this.#objects.delete('Service', it)),
    ]);
  }

  uids(): Promise<string[]> {
    return unavailable(() => this.#objects.uids());
  }

  logs(target: ContainerTarget, options: LogOptions): Promise<Buffer> {
    return unavailable(() => readLog(this.#connection, target, options));
  }

  exec(target: ContainerTarget, options: ExecOptions): Promise<Terminal> {
    return unavailable(() => openExec(this.#connection, target, options));
  }

  attach(target: ContainerTarget): Promise<Terminal> {
    return unavailable(() => openAttach(this.#connection, target));
  }

  async watch(listener: (uid: string) => void): Promise<{ close(): void }> {
    const following = followGroups(this.#connection, this.#context.owner, listener, this.#deletedPods);
    this.#watches.set(following, listener);
    await following.ready;
    return {
      close: () => {
        this.#watches.delete(following);
        following.close();
      },
    };
  }

  /** Nodes belong to the whole cluster: if the jar may not list them, the list of images is empty. */
  async cachedImages(): Promise<{ osType: 'Linux' | 'Windows'; image: string }[]> {
    try {
      const { items } = await asking('listing nodes', () => this.#connection.core.listNode({ limit: 100 }));
      const found = new Map<string, { osType: 'Linux' | 'Windows'; image: string }>();
      for (const { status } of items) {
        const osType = status?.nodeInfo?.operatingSystem === 'windows' ? 'Windows' : 'Linux';
        const tagged = (status?.images ?? []).flatMap(({ names }) => names ?? []).filter((it) => !it.includes('@'));
        for (const image of tagged) found.set(`${osType} ${image}`, { osType, image });
      }
      return [...found.values()];
    } catch (error) {
      if (error instanceof ApiProblem) return [];
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const each of this.#watches.keys()) each.close();
    this.#watches.clear();
    for (const cancel of this.#retries.values()) cancel();
    this.#retries.clear();
    if (this.#context.lifetime === 'process') await this.#abandonAll();
    await this.#connection.close();
  }

  /** Requests the deletion of everything without waiting for it. */
  async #abandonAll(): Promise<void> {
    try {
      for (const uid of await this.#objects.uids()) await this.#deleteAll(await this.#objects.ofGroup(uid));
    } catch (error) {
      const reason = (error as Error).message;
      this.#context.jar.log.warn({ reason }, 'groups are left in the cluster, because it does not respond');
    }
  }
}

const isEmpty = ({ pod, secrets, services }: GroupObjects): boolean =>
  !pod && secrets.length === 0 && services.length === 0;

/** An unexpected rejection, for example because of missing permissions, counts as unavailable. */
async function unavailable<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof ApiProblem ? new EngineUnavailable(error.message, { cause: error }) : error;
  }
}
