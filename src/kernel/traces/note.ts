import type { JarClock } from '../clock/types.ts';
import { DeliveryIds } from '../delivery/ids.ts';
import type { Collection, Tx } from '../store/types.ts';
import type { WorkKind } from '../work/kind.ts';
import type { TracePage } from './types.ts';

/** All that are kept are read to find those that are too many, so that is done after as many new ones, or at least this many. */
const PRUNED_EVERY = 1000;
const MOST_ON_A_PAGE = 100;

export interface TracesOptions<Trace> {
  readonly pages: Collection<TracePage<Trace>>;
  /** The kind of work that removes those beyond `kept`. */
  readonly pruning: WorkKind<{ readonly kept: number }>;
  /** How many; none are noted where it is 0. */
  readonly kept: number;
  readonly clock: JarClock;
}

/** Notes traces of one kind. */
export class Traces<Trace> {
  /** How many; none are noted where it is 0. */
  readonly kept: number;
  readonly #pages: Collection<TracePage<Trace>>;
  readonly #pruning: WorkKind<{ readonly kept: number }>;
  readonly #clock: JarClock;
  readonly #ids: DeliveryIds;
  /** Since the last look for those that are too many. Transactions that fail or run again count too: it is a hint, no more. */
  #count = 0;

  constructor({ pages, pruning, kept, clock }: TracesOptions<Trace>) {
    this.kept = kept;
    this.#pages = pages;
    this.#pruning = pruning;
    this.#clock = clock;
    this.#ids = new DeliveryIds(clock);
    this.forget();
  }

  /** Of a large transaction the last ones are kept, which push out all others anyway. */
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

  /** The state was replaced, as at a start: traces that were not counted here may be there already, so the first look comes soon. */
  forget(): void {
    this.#count = Math.max(PRUNED_EVERY, this.kept) - PRUNED_EVERY;
  }
}

export const openTraces = <Trace>(options: TracesOptions<Trace>): Traces<Trace> => new Traces(options);
