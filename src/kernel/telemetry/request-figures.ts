import { CLASSES, classOf } from './duration-classes.ts';
import type { RequestEntry } from './request-log.ts';

const SECOND_MS = 1_000;
/** An hour, and the minute that has begun. */
const KEPT_MS = 61 * 60 * SECOND_MS;
const SERVICE_SLOT_MS = 5 * SECOND_MS;

/** Counts of the requests in some time, by the system clock. */
export interface Figures {
  count: number;
  failed: number;
  outbound: number;
  outboundFailed: number;
  /** Durations of the requests to the jar, for `percentileOf`. */
  readonly durations: Uint32Array;
}

export interface ServiceFigures extends Figures {
  /** When the newest request was received. */
  readonly lastAt: number;
}

/** A request failed if it was answered with an error or not at all, a delivery if its receiver did not accept it. */
export function isFailed({
  direction,
  status,
  delivery,
}: Pick<RequestEntry, 'direction' | 'status' | 'delivery'>): boolean {
  if (direction === 'outbound') return delivery?.outcome !== 'Succeeded';
  return status === undefined || status >= 400;
}

/** The requests and messages of the last hour in numbers: exact after their entries have left the log, in memory of a fixed size. */
export class RequestFigures {
  #all: Ring | undefined;
  readonly #byService = new Map<string, { readonly ring: Ring; lastAt: number }>();

  add(entry: RequestEntry): void {
    const failed = isFailed(entry);
    this.#all ??= new Ring(SECOND_MS);
    this.#all.add(entry, failed);
    if (entry.direction === 'outbound') return;
    let ofService = this.#byService.get(entry.service);
    if (!ofService) {
      ofService = { ring: new Ring(SERVICE_SLOT_MS), lastAt: 0 };
      this.#byService.set(entry.service, ofService);
    }
    ofService.lastAt = entry.systemAt;
    ofService.ring.add(entry, failed);
  }

  /** What happened from one time on, to the second, and until before another. */
  between(from: number, to: number): Figures {
    return this.#all?.between(from, to) ?? noFigures();
  }

  /** Requests to the jar by service, to five seconds. */
  byService(from: number, to: number): Map<string, ServiceFigures> {
    return new Map(
      [...this.#byService].map(([service, { ring, lastAt }]) => [service, { ...ring.between(from, to), lastAt }]),
    );
  }
}

const COUNTS = 4;
const NEVER = -1;

/** Counts by slots of the same length; a slot takes the place of the one that began so long before. */
class Ring {
  readonly #slotMs: number;
  readonly #size: number;
  /** The number of the slot at each place, counted from 1970. */
  readonly #slots: Float64Array;
  readonly #counts: Uint32Array;
  readonly #durations: Uint16Array;

  constructor(slotMs: number) {
    this.#slotMs = slotMs;
    this.#size = KEPT_MS / slotMs;
    this.#slots = new Float64Array(this.#size).fill(NEVER);
    this.#counts = new Uint32Array(this.#size * COUNTS);
    this.#durations = new Uint16Array(this.#size * CLASSES);
  }

  add({ direction, systemAt, ms }: RequestEntry, hasFailed: boolean): void {
    const place = this.#placeOf(Math.floor(systemAt / this.#slotMs));
    const first = place * COUNTS + (direction === 'outbound' ? 2 : 0);
    increase(this.#counts, first);
    if (hasFailed) increase(this.#counts, first + 1);
    if (direction === 'inbound') increase(this.#durations, place * CLASSES + classOf(ms));
  }

  between(from: number, to: number): Figures {
    const figures = noFigures();
    const end = Math.ceil(to / this.#slotMs);
    for (let slot = Math.max(Math.floor(from / this.#slotMs), end - this.#size); slot < end; slot++) {
      const place = slot % this.#size;
      if (this.#slots[place] !== slot) continue;
      const [count = 0, failed = 0, outbound = 0, outboundFailed = 0] = this.#counts.subarray(
        place * COUNTS,
        (place + 1) * COUNTS,
      );
      figures.count += count;
      figures.failed += failed;
      figures.outbound += outbound;
      figures.outboundFailed += outboundFailed;
      for (let n = 0; n < CLASSES; n++)
        figures.durations[n] = at(figures.durations, n) + at(this.#durations, place * CLASSES + n);
    }
    return figures;
  }

  #placeOf(slot: number): number {
    const place = slot % this.#size;
    if (this.#slots[place] === slot) return place;
    this.#slots[place] = slot;
    this.#counts.fill(0, place * COUNTS, (place + 1) * COUNTS);
    this.#durations.fill(0, place * CLASSES, (place + 1) * CLASSES);
    return place;
  }
}

const at = (numbers: Uint16Array | Uint32Array, place: number): number => numbers[place] ?? 0;

function increase(numbers: Uint16Array | Uint32Array, place: number): void {
  numbers[place] = at(numbers, place) + 1;
}

const noFigures = (): Figures => ({
  ...{ count: 0, failed: 0, outbound: 0, outboundFailed: 0 },
  durations: new Uint32Array(CLASSES),
});
