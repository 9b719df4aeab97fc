import { DeliveryIds } from '../../kernel/delivery/ids.ts';
import type { Jar } from '../../kernel/jar-context.ts';
import type { Json, Tx } from '../../kernel/store/types.ts';
import { type Trace, tracePages } from './collections.ts';
import { PRUNE_TRACES } from './delivering/work.ts';
import type { GridEvent } from './event.ts';
import { settingsOf } from './settings.ts';

/** What became of every event that came in: the newest are kept, so that "why did it not arrive" has an answer. */

export const DEFAULT_TRACES = 10_000;
/** Traces above the number that is kept are removed after so many new ones. */
const PRUNED_EVERY = 1000;
/** Larger events are not kept with their traces. */
const LARGEST_KEPT = 2048;
const MOST_ON_A_PAGE = 100;

interface Noting {
  readonly ids: DeliveryIds;
  readonly kept: number;
  /** Since the last look for those that are too many. */
  count: number;
}

const noting = new WeakMap<Jar, Noting>();

function notingOf(jar: Jar): Noting {
  let known = noting.get(jar);
  if (!known) {
    known = { ids: new DeliveryIds(jar.clock), kept: settingsOf(jar).traces ?? DEFAULT_TRACES, count: 0 };
    noting.set(jar, known);
  }
  return known;
}

export function traceOf(jar: Jar, event: GridEvent, matched: Trace['matched'], refused: number): Trace {
  const { topic, id: eventId, type: eventType, subject } = event;
  return {
    at: jar.clock.now(),
    topic,
    eventId,
    eventType,
    subject,
    matched,
    refused,
    ...(refused > 0 && isSmall(event) && { event: event as unknown as Json }),
  };
}

export async function noteTraces(tx: Tx, jar: Jar, traces: readonly Trace[]): Promise<void> {
  const note = notingOf(jar);
  if (note.kept === 0 || traces.length === 0) return;
  for (let from = 0; from < traces.length; from += MOST_ON_A_PAGE) {
    await tx.put(tracePages, note.ids.next(), { traces: traces.slice(from, from + MOST_ON_A_PAGE) });
  }
  note.count += traces.length;
  if (note.count < PRUNED_EVERY) return;
  note.count = 0;
  await tx.wake({ id: PRUNE_TRACES, kind: PRUNE_TRACES, dueAt: jar.clock.now(), payload: { kept: note.kept } });
}

/** By a bound that costs nothing: what has many parts is taken for large without being written out. */
function isSmall({ data, original, subject }: GridEvent): boolean {
  return weigh([data, original, subject] as Json, LARGEST_KEPT) > 0;
}

/** What is left of a budget of characters after a value; not more than that much of it is looked at. */
function weigh(value: Json | undefined, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 2;
  if (typeof value !== 'object' || value === null) return budget - 8;
  let left = budget - 2;
  if (Array.isArray(value)) {
    for (const each of value) {
      if (left <= 0) return left;
      left = weigh(each, left);
    }
    return left;
  }
  for (const [name, each] of Object.entries(value)) {
    if (left <= 0) return left;
    left = weigh(each, left - name.length);
  }
  return left;
}
