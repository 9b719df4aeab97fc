import { DeliveryIds } from '../delivery/ids.ts';
import type { Jar } from '../jar-context.ts';
import type { Collection, Tx } from '../store/types.ts';
import type { TracePage } from './types.ts';

/** All that are kept are read to find those that are too many, so that is done after as many new ones, or at least this many. */
const PRUNED_EVERY = 1000;
const MOST_ON_A_PAGE = 100;

interface Noting {
  readonly ids: DeliveryIds;
  readonly kept: number;
  /** Since the last look for those that are too many. Transactions that fail or run again count too: it is a hint, no more. */
  count: number;
}

export interface Traces<Trace> {
  readonly pages: Collection<TracePage<Trace>>;
  /** The kind of work that removes those beyond `kept`, which its payload has. */
  readonly pruning: string;
  /** How many; none are noted where it is 0. Asked once of a jar. */
  readonly kept: (jar: Jar) => number;
}

type NoteTraces<Trace> = (tx: Tx, jar: Jar, traces: readonly Trace[]) => Promise<void>;

/** A function that notes traces of one kind. Of a large transaction the last ones are kept, which push out all others anyway. */
export function traceNoter<Trace>({ pages, pruning, kept }: Traces<Trace>): NoteTraces<Trace> {
  const notings = new WeakMap<Jar, Noting>();

  const notingOf = (jar: Jar): Noting => {
    let noting = notings.get(jar);
    if (!noting) {
      const keeps = kept(jar);
      // What an earlier process has noted was not counted here: the first look comes soon.
      const count = Math.max(PRUNED_EVERY, keeps) - PRUNED_EVERY;
      noting = { ids: new DeliveryIds(jar.clock), kept: keeps, count };
      notings.set(jar, noting);
    }
    return noting;
  };

  return async (tx, jar, traces) => {
    const noting = notingOf(jar);
    if (noting.kept === 0 || traces.length === 0) return;
    const noted = traces.slice(-noting.kept);
    for (let from = 0; from < noted.length; from += MOST_ON_A_PAGE) {
      await tx.put(pages, noting.ids.next(), { traces: noted.slice(from, from + MOST_ON_A_PAGE) });
    }
    noting.count += noted.length;
    if (noting.count < Math.max(PRUNED_EVERY, noting.kept)) return;
    noting.count = 0;
    await tx.wake({ id: pruning, kind: pruning, dueAt: jar.clock.now(), payload: { kept: noting.kept } });
  };
}
