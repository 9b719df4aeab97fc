import type { CoreV1Event, KubernetesListObject, KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { later, processTime } from '../../time/timers.ts';
import { ApiProblem, asProblem, isGone } from './api-errors.ts';
import type { Connection } from './connection.ts';
import type { DeletedPods } from './deleted-pods.ts';
import { GROUP_LABEL, ownerSelector, podName, uidOfPodName } from './names.ts';
import { getRaw } from './raw.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
const LIST_TIMEOUT_MS = 30_000;
/** A connection without data for this long counts as broken. Servers send a bookmark about every minute. */
const SILENCE_MS = 90_000;
/** A stream that lasted this long resets the backoff, whatever ended it. */
const GOOD_STREAM_MS = 5_000;

interface Followed {
  readonly path: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** The uid of the group that an object belongs to. */
  uidOf(object: KubernetesObject): string | undefined;
}

/** Watches all objects that report changes of a jar's groups. */
export function followGroups(
  connection: Connection,
  owner: string,
  tell: (uid: string) => void,
  deletedPods: DeletedPods,
): { ready: Promise<void>; close(): void } {
  const base = `/api/v1/namespaces/${connection.namespace}`;
  const labelled = { labelSelector: ownerSelector(owner), uidOf: labelOf };
  const pods = new Follower(connection, { path: `${base}/pods`, ...labelled }, (uid, gone) => {
    if (gone) deletedPods.remember(uid, gone as V1Pod);
    tell(uid);
  });
  const followers = [
    pods,
    new Follower(connection, { path: `${base}/services`, ...labelled }, (uid) => tell(uid)),
    // Events carry no labels, so those about other Pods of the namespace arrive too and are ignored.
    new Follower(
      connection,
      { path: `${base}/events`, fieldSelector: 'involvedObject.kind=Pod', uidOf: podOf },
      (uid) => pods.has(podName(uid)) && tell(uid),
    ),
  ];
  return {
    ready: Promise.all(followers.map((it) => it.ready)).then(() => undefined),
    close: () => {
      for (const each of followers) each.close();
    },
  };
}

const labelOf = ({ metadata }: KubernetesObject): string | undefined => metadata?.labels?.[GROUP_LABEL];

const podOf = (object: KubernetesObject): string | undefined =>
  uidOfPodName((object as CoreV1Event).involvedObject?.name ?? '');

/**
 * Follows one list: reads it and then watches its changes. If the server no longer has the resource version, reads the list again and
 * reports the differences.
 */
class Follower {
  readonly ready: Promise<void>;
  readonly #connection: Connection;
  readonly #followed: Followed;
  readonly #tell: (uid: string, gone?: KubernetesObject) => void;
  readonly #ready = Promise.withResolvers<void>();
  /** By name: resource version last reported, and the group it belongs to. */
  #seen: Map<string, { version: string; uid: string }> | undefined;
  #failedFirst = false;
  #version: string | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #closed = false;
  #stop: () => void = () => {};

  constructor(connection: Connection, followed: Followed, tell: (uid: string, gone?: KubernetesObject) => void) {
    this.#connection = connection;
    this.#followed = followed;
    this.#tell = tell;
    this.ready = this.#ready.promise;
    void this.#run();
  }

  has(name: string): boolean {
    return this.#seen?.has(name) ?? false;
  }

  close(): void {
    this.#closed = true;
    this.#ready.resolve();
    this.#stop();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      const began = processTime();
      try {
        this.#version ??= await this.#list();
        this.#ready.resolve();
        await this.#stream();
        this.#pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        if (isGone(error)) this.#version = undefined;
        if (!this.#seen) this.#failedFirst = true;
        this.#ready.resolve();
        if (processTime() - began >= GOOD_STREAM_MS) this.#pauseMs = FIRST_PAUSE_MS;
        await this.#pause();
      }
    }
  }

  async #list(): Promise<string> {
    const { path } = this.#followed;
    const asked = { path, query: this.#query(), timeoutMs: LIST_TIMEOUT_MS };
    const listed = await getRaw(this.#connection, 'listing', asked, async (body) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      return JSON.parse(Buffer.concat(chunks).toString()) as KubernetesListObject<KubernetesObject>;
    });
    this.#compare(listed.items);
    return listed.metadata?.resourceVersion ?? '';
  }

  /** The first list is the starting point; a later list may contain changes that were not reported. */
  #compare(items: readonly KubernetesObject[]): void {
    const before = this.#seen;
    const seen = new Map<string, { version: string; uid: string }>();
    const changed = new Set<string>();
    for (const item of items) {
      const uid = this.#followed.uidOf(item);
      if (uid === undefined) continue;
      const name = item.metadata?.name ?? '';
      const version = item.metadata?.resourceVersion ?? '';
      seen.set(name, { version, uid });
      if ((before && before.get(name)?.version !== version) || this.#failedFirst) changed.add(uid);
    }
    for (const [name, { uid }] of before ?? []) if (!seen.has(name)) changed.add(uid);
    this.#seen = seen;
    this.#failedFirst = false;
    for (const uid of changed) this.#tell(uid);
  }

  /** Ends with its connection, which servers close from time to time. */
  async #stream(): Promise<void> {
    const { library, config } = this.#connection;
    const ended = Promise.withResolvers<void>();
    const query = { ...this.#query(), resourceVersion: this.#version!, allowWatchBookmarks: 'true' };
    const watch = new library.Watch(config);
    Object.assign(watch, { requestTimeoutMs: SILENCE_MS });
    const watching = await watch.watch(
      this.#followed.path,
      query,
      (phase: string, object: KubernetesObject & { code?: number; message?: string }) => {
        if (phase === 'ERROR') ended.reject(new ApiProblem(object.code ?? 500, '', object.message ?? 'watch failed'));
        else this.#heard(phase, object);
      },
      (error) => {
        if (error && !this.#closed) ended.reject(asProblem(error, 'watching'));
        else ended.resolve();
      },
    );
    this.#stop = () => watching.abort();
    if (this.#closed) watching.abort();
    try {
      await ended.promise;
    } finally {
      watching.abort();
      this.#stop = () => {};
    }
  }

  #heard(phase: string, object: KubernetesObject): void {
    const { name = '', resourceVersion = '' } = object.metadata ?? {};
    this.#version = resourceVersion || this.#version;
    this.#pauseMs = FIRST_PAUSE_MS;
    const uid = phase === 'BOOKMARK' ? undefined : this.#followed.uidOf(object);
    if (uid === undefined) return;
    if (phase === 'DELETED') this.#seen?.delete(name);
    else this.#seen?.set(name, { version: resourceVersion, uid });
    this.#tell(uid, phase === 'DELETED' ? object : undefined);
  }

  #query(): Record<string, string> {
    const { labelSelector, fieldSelector } = this.#followed;
    return { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) };
  }

  async #pause(): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      const cancel = later(this.#pauseMs, resolve);
      this.#stop = () => {
        cancel();
        resolve();
      };
    });
    this.#stop = () => {};
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
