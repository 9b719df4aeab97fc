import { after } from '../../time/timers.ts';
import type { ProbePlan } from '../plan.ts';
import { type ContainerEngine, type ContainerTarget, EngineUnavailable, type ProbeOutcome } from '../types.ts';

/** How long a round waits for a probe. A slower probe is collected by a later round, so that it does not block its group. */
const PATIENCE_MS = 300;

interface Running {
  readonly uid: string;
  readonly engineId: string;
  outcome: ProbeOutcome | undefined;
  unasked?: EngineUnavailable;
}

/** Runs probes. Each container runs at most one probe of a kind at a time, however long it takes. */
export class Prober {
  readonly #engine: ContainerEngine;
  readonly #done: (uid: string) => void;
  readonly #running = new Map<string, Running>();

  /** `done` is called for each probe that ends after the wait. */
  constructor(engine: ContainerEngine, done: (uid: string) => void) {
    this.#engine = engine;
    this.#done = done;
  }

  /** Returns the outcome, or undefined while the probe is still running. Throws `EngineUnavailable`. */
  async probe(
    kind: 'liveness' | 'readiness',
    target: ContainerTarget,
    { check, timeoutSeconds }: ProbePlan,
  ): Promise<ProbeOutcome | undefined> {
    const key = `${target.uid}/${target.container}/${kind}`;
    const known = this.#running.get(key);
    if (known?.engineId === target.engineId) return this.#take(key, known);
    const running: Running = { uid: target.uid, engineId: target.engineId, outcome: undefined };
    this.#running.set(key, running);
    const asking = this.#engine.probe(target, check, timeoutSeconds * 1000).then(
      (outcome) => {
        running.outcome = outcome;
      },
      (error: unknown) => {
        // This says nothing about the container; the probe is repeated when the engine responds again.
        if (error instanceof EngineUnavailable) running.unasked = error;
        else running.outcome = { healthy: false, reason: error instanceof Error ? error.message : String(error) };
      },
    );
    await new Promise<void>((resolve) => {
      const cancel = after(PATIENCE_MS, resolve);
      void asking.then(() => {
        cancel();
        resolve();
      });
    });
    const outcome = this.#take(key, running);
    if (this.#running.get(key) === running) {
      void asking.then(() => {
        if (this.#running.get(key) === running) this.#done(target.uid);
      });
    }
    return outcome;
  }

  #take(key: string, { outcome, unasked }: Running): ProbeOutcome | undefined {
    if (outcome || unasked) this.#running.delete(key);
    if (unasked) throw unasked;
    return outcome;
  }

  forget(uid: string): void {
    for (const [key, running] of this.#running) if (running.uid === uid) this.#running.delete(key);
  }
}
