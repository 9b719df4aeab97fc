import type { V1Pod } from '@kubernetes/client-node';

/** The oldest entries are dropped beyond this many. */
const MOST = 1_000;

/**
 * Last known state of deleted Pods: a cluster reports how their containers ended at the moment it removes them. Kept in memory only;
 * without an entry the ends of runs are known, but not their exit codes.
 */
export class DeletedPods {
  readonly #pods = new Map<string, V1Pod>();

  remember(uid: string, pod: V1Pod): void {
    this.#pods.delete(uid);
    this.#pods.set(uid, pod);
    if (this.#pods.size > MOST) this.#pods.delete(this.#pods.keys().next().value!);
  }

  of(uid: string): V1Pod | undefined {
    return this.#pods.get(uid);
  }

  forget(uid: string): void {
    this.#pods.delete(uid);
  }
}
