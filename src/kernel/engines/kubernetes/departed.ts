import type { V1Pod } from '@kubernetes/client-node';

/** Beyond this many, the oldest are forgotten. */
const MOST = 1_000;

/**
 * The last that was heard of Pods that are gone: a cluster tells how their containers ended in the same moment in which it removes
 * them. In memory only; without it the ends of runs are known, and their exit codes are not.
 */
export class DepartedPods {
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
