import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { type CustomRules, customTransitions, isCustomZone, parseCustomZone } from './custom.ts';
import { FIRST_WALL, LAST_WALL, type Wall, type ZoneName } from './wall.ts';

/** Offsets are milliseconds east of UTC. `at` is the first instant of the new offset. */
export interface Transition {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** The offsets of one zone during one stretch of time. */
interface Stretch {
  readonly first: number;
  readonly transitions: readonly Transition[];
}

/** Data derived from a zone's name. Stretches are computed on demand. */
interface ZoneRules {
  readonly read: (instant: number) => number;
  readonly custom?: CustomRules;
  readonly stretches: Map<number, Stretch>;
}

/** A formatter takes about 10 kB, a stretch about 100 bytes; a jar uses a handful of zones. */
const ZONES_KEPT = 256;
const STRETCHES_KEPT = 512;
/** About a year. Not a calendar year, so that the stretch of an instant is found with one division. */
const STRETCH_MS = 366 * DAY_MS;
/** There can be several changes between two samples, but none that cancel out: the shortest period in tzdata since 1970 is 7 days. */
const SAMPLE_MS = 6 * DAY_MS;

/** Constants derived from the name, so not state; bounded. */
const cache = new Map<ZoneName, ZoneRules>();

/** Matches `GMT`, `GMT+01:00`, `GMT-00:44:30` at the end of a formatted date. */
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

const offsetReader = (zone: ZoneName): ((instant: number) => number) | undefined => {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
  return (instant) => {
    const [, sign, hours, minutes, seconds = '0'] = OFFSET.exec(format.format(instant)) ?? [];
    if (sign === undefined) return 0;
    const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
    return sign === '-' ? -size : size;
  };
};

const newRules = (zone: ZoneName): ZoneRules | undefined => {
  if (isCustomZone(zone)) {
    const custom = parseCustomZone(zone);
    return custom && { read: () => custom.standard, custom, stretches: new Map() };
  }
  const read = offsetReader(zone);
  return read && { read, stretches: new Map() };
};

const rulesOf = (zone: ZoneName): ZoneRules | undefined => {
  const kept = cache.get(zone);
  if (kept) return kept;
  const rules = newRules(zone);
  if (!rules) return undefined;
  if (cache.size >= ZONES_KEPT) {
    const oldest = cache.keys().next();
    if (!oldest.done) cache.delete(oldest.value);
  }
  cache.set(zone, rules);
  return rules;
};

/** The transitions in (from, to]; both times are at most one sample apart. */
const between = (read: (instant: number) => number, from: number, to: number, found: Transition[]): void => {
  let start = from;
  let before = read(start);
  const last = read(to);
  while (before !== last) {
    let [low, high] = [start, to];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (read(middle) === before) low = middle;
      else high = middle;
    }
    const after = read(high);
    found.push({ at: high, before, after });
    [start, before] = [high, after];
  }
};

const newStretch = (rules: ZoneRules, begin: number, end: number): Stretch => {
  if (rules.custom) {
    const transitions = customTransitions(rules.custom, begin, end);
    const [before] = customTransitions(rules.custom, begin - 2 * STRETCH_MS, begin).slice(-1);
    return { first: before?.after ?? rules.custom.standard, transitions };
  }
  const transitions: Transition[] = [];
  // Starts one millisecond early, since a change at the first instant belongs to the stretch.
  for (let from = begin - 1; from < end - 1; from += SAMPLE_MS) {
    between(rules.read, from, Math.min(from + SAMPLE_MS, end - 1), transitions);
  }
  return { first: rules.read(begin - 1), transitions };
};

const stretchAt = (zone: ZoneName, instant: number): Stretch => {
  const rules = rulesOf(zone);
  if (!rules) throw new RangeError(`unknown time zone ${zone}`);
  const index = Math.floor(Math.min(LAST_WALL, Math.max(FIRST_WALL, instant)) / STRETCH_MS);
  const kept = rules.stretches.get(index);
  if (kept) return kept;
  if (rules.stretches.size >= STRETCHES_KEPT) rules.stretches.clear();
  const made = newStretch(rules, index * STRETCH_MS, (index + 1) * STRETCH_MS);
  rules.stretches.set(index, made);
  return made;
};

/** True if offsets can be computed: a name that the runtime knows, or a well-formed custom zone. */
export const isZone = (zone: ZoneName): boolean => rulesOf(zone) !== undefined;

/** Milliseconds east of UTC. Throws for a name that `isZone` rejects; names are validated on input. */
export const offsetAt = (zone: ZoneName, instant: number): number => {
  if (zone === 'UTC') return 0;
  const { first, transitions } = stretchAt(zone, instant);
  let offset = first;
  for (const transition of transitions) {
    if (instant < transition.at) break;
    offset = transition.after;
  }
  return offset;
};

/** `offsetAt` for a zone that is used once: computes a single offset and caches only the zone. */
export const offsetOnce = (zone: ZoneName, instant: number): number => {
  const rules = rulesOf(zone);
  return !rules || rules.custom ? offsetAt(zone, instant) : rules.read(instant);
};

/** The offset changes in [from, to), in order. */
export const transitionsBetween = (zone: ZoneName, from: number, to: number): readonly Transition[] => {
  if (zone === 'UTC') return [];
  const found: Transition[] = [];
  for (let at = Math.max(from, FIRST_WALL); at < to && at <= LAST_WALL; ) {
    for (const transition of stretchAt(zone, at).transitions) {
      if (transition.at >= from && transition.at < to) found.push(transition);
    }
    at = (Math.floor(at / STRETCH_MS) + 1) * STRETCH_MS;
  }
  return found;
};

/** The wall-clock time of a zone at an instant. */
export const toWall = (zone: ZoneName, instant: number): Wall => instant + offsetAt(zone, instant);

/**
 * The instant of a wall-clock time. A time within a gap is interpreted with the offset before the gap; an ambiguous time is the first of
 * its two instants (RFC 5545, section 3.3.5).
 */
export const toInstant = (zone: ZoneName, wall: Wall): number => {
  if (zone === 'UTC') return wall;
  // The two possible offsets are those a day before and a day after, since no offset reaches 24 hours.
  const early = offsetAt(zone, wall - DAY_MS);
  const late = offsetAt(zone, wall + DAY_MS);
  if (early === late && offsetAt(zone, wall - early) === early) return wall - early;
  // Several changes within two days do occur (Apia skipped a day). The first offset that fits wins, earliest instant first.
  let best: number | undefined;
  for (const offset of offsetsAround(zone, wall)) {
    const instant = wall - offset;
    if (offsetAt(zone, instant) === offset && (best === undefined || instant < best)) best = instant;
  }
  return best ?? wall - offsetBeforeGap(zone, wall, early);
};

const offsetsAround = (zone: ZoneName, wall: Wall): ReadonlySet<number> => {
  const offsets = new Set([offsetAt(zone, wall - 2 * DAY_MS)]);
  for (const transition of transitionsBetween(zone, wall - 2 * DAY_MS, wall + 2 * DAY_MS))
    offsets.add(transition.after);
  return offsets;
};

const offsetBeforeGap = (zone: ZoneName, wall: Wall, otherwise: number): number => {
  for (const { at, before, after } of transitionsBetween(zone, wall - 2 * DAY_MS, wall + 2 * DAY_MS)) {
    if (wall >= at + before && wall < at + after) return before;
  }
  return otherwise;
};
