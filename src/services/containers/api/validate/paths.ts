/**
 * Where a rule looks: `properties.containers[].properties.resources.requests?.cpu`. `[]` is every entry of a list, and a member with
 * `?` has to be there for the rest to be looked at; without it, what is below a missing member is missing too.
 */
export interface Place {
  /** `properties.containers[0].name` */
  readonly target: string;
  readonly value: unknown;
}

interface Segment {
  readonly name: string;
  readonly each: boolean;
  readonly optional: boolean;
}

const parsed = new Map<string, readonly Segment[]>();

function segmentsOf(path: string): readonly Segment[] {
  let segments = parsed.get(path);
  if (!segments) {
    segments = path.split('.').map((part) => ({
      name: part.replace(/\[\]|\?/g, ''),
      each: part.endsWith('[]'),
      optional: part.endsWith('?'),
    }));
    parsed.set(path, segments);
  }
  return segments;
}

export function placesOf(body: unknown, path: string): Place[] {
  const found: Place[] = [];
  walk(body, '', segmentsOf(path), 0, found);
  return found;
}

/** More mistakes of one kind than this are not told. */
const MOST_AT_ONE_PATH = 50;

/** What `check` finds at the places of a path. */
export function mistakesAt<T>(body: unknown, path: string, check: (place: Place) => T | undefined): T[] {
  const mistakes: T[] = [];
  for (const place of placesOf(body, path)) {
    const mistake = check(place);
    if (mistake !== undefined) mistakes.push(mistake);
    if (mistakes.length >= MOST_AT_ONE_PATH) break;
  }
  return mistakes;
}

function walk(value: unknown, at: string, segments: readonly Segment[], depth: number, found: Place[]): void {
  const segment = segments[depth];
  if (!segment) {
    found.push({ target: at, value });
    return;
  }
  const member = (value as Record<string, unknown> | undefined)?.[segment.name];
  const target = at === '' ? segment.name : `${at}.${segment.name}`;
  if (segment.each) {
    for (const [index, entry] of ((member ?? []) as unknown[]).entries()) {
      walk(entry, `${target}[${index}]`, segments, depth + 1, found);
    }
  } else if (member !== undefined || !segment.optional) {
    walk(member, target, segments, depth + 1, found);
  }
}
