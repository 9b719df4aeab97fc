import { after } from '../../time/timers.ts';
import type { ProbePlan } from '../plan.ts';
import { type ContainerEngine, type ContainerTarget, EngineUnavailable, type ProbeOutcome } from '../types.ts';

/** A probe that takes longer is looked at when it is done: nothing else of its group has to wait for it. */
const PATIENCE_MS = 300;

interface Running {
  readonly uid: string;
  readonly engineId: string;
  outcome: ProbeOutcome | undefined;
  unasked?: EngineUnavailable;
}

/** Asks containers how they are. One probe of a kind runs in a container at a time, however long it takes. */
export class Prober {
  readonly #engine: ContainerEngine;
  readonly #done: (uid: string) => void;
  readonly #running = new Map<string, Running>();

  /** `done` is told of every probe whose end nobody waited for. */
  constructor(engine: ContainerEngine, done: (uid: string) => void) {
    this.#engine = engine;
    this.#done = done;
  }

  /** The outcome, or undefined while the probe is still running. Throws `EngineUnavailable`. */
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
        // That says nothing of the container: it is asked again when the engine answers.
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
