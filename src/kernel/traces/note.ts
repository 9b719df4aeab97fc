import type { JarClock } from '../clock/types.ts';
import { DeliveryIds } from '../delivery/ids.ts';
import type { Collection, Tx } from '../store/types.ts';
import type { WorkKind } from '../work/kind.ts';
import type { TracePage } from './types.ts';

/** Pruning reads all stored traces, so it runs only after as many new traces as are kept, but at least this many. */
const PRUNED_EVERY = 1000;
const MOST_ON_A_PAGE = 100;

export interface TracesOptions<Trace> {
  readonly pages: Collection<TracePage<Trace>>;
  /** The kind of work that removes the traces beyond `kept`. */
  readonly pruning: WorkKind<{ readonly kept: number }>;
  /** The maximum number of stored traces; 0 disables tracing. */
  readonly kept: number;
  readonly clock: JarClock;
}

/** Writes traces of one kind. */
export class Traces<Trace> {
  /** The maximum number of stored traces; 0 disables tracing. */
  readonly kept: number;
  readonly #pages: Collection<TracePage<Trace>>;
  readonly #pruning: WorkKind<{ readonly kept: number }>;
  readonly #clock: JarClock;
  readonly #ids: DeliveryIds;
  /** Traces written since the last pruning. Failed and repeated transactions are counted too, so it is only approximate. */
  #count = 0;

  constructor({ pages, pruning, kept, clock }: TracesOptions<Trace>) {
    this.kept = kept;
    this.#pages = pages;
    this.#pruning = pruning;
    this.#clock = clock;
    this.#ids = new DeliveryIds(clock);
    this.forget();
  }

  /** Of more traces than are kept, only the last ones are written. */
  async note(tx: Tx, traces: readonly Trace[]): Promise<void> {
    const { kept } = this;
    if (kept === 0 || traces.length === 0) return;
    const noted = traces.slice(-kept);
    for (let from = 0; from < noted.length; from += MOST_ON_A_PAGE) {
      await tx.put(this.#pages, this.#ids.next(), { traces: noted.slice(from, from + MOST_ON_A_PAGE) });
    }
    this.#count += noted.length;
    if (this.#count < Math.max(PRUNED_EVERY, kept)) return;
    this.#count = 0;
    await tx.wake(this.#pruning.at(this.#clock.now(), { kept }, this.#pruning.kind));
  }

  /** Call after the state was replaced, and at start: the store may contain traces that were not counted, so the next pruning is early. */
  forget(): void {
    this.#count = Math.max(PRUNED_EVERY, this.kept) - PRUNED_EVERY;
  }
}

export const openTraces = <Trace>(options: TracesOptions<Trace>): Traces<Trace> => new Traces(options);
