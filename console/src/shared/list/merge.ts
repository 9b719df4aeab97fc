/** Rows as they are shown, with those that came since and wait to be shown. */
export interface Merged<Row> {
  readonly shown: readonly Row[];
  readonly waiting: readonly Row[];
  /** The list has moved on by more than a page: there are rows between the waiting and the shown ones that were not read. */
  readonly hasGap: boolean;
}

/**
 * Brings a newly read first page into a list without moving what is shown: known rows are updated in place, removed rows disappear, and new
 * rows wait, except those after the last shown row.
 */
export function merge<Row>(
  { shown }: Merged<Row>,
  fresh: readonly Row[],
  keyOf: (row: Row) => string,
  isWholeList: boolean,
): Merged<Row> {
  if (shown.length === 0) return { shown: fresh, waiting: [], hasGap: false };
  const freshByKey = new Map(fresh.map((row) => [keyOf(row), row]));
  const shownKeys = new Set(shown.map(keyOf));
  /** Shown rows up to this one are within the fresh page, so those that are missing there have been removed. */
  const lastCovered = isWholeList ? shown.length - 1 : shown.findLastIndex((row) => freshByKey.has(keyOf(row)));
  const kept = shown.flatMap((row, index) => {
    const now = freshByKey.get(keyOf(row));
    return now !== undefined ? [now] : index <= lastCovered ? [] : [row];
  });
  const added = fresh.filter((row) => !shownKeys.has(keyOf(row)));
  if (kept.length === 0) return { shown: fresh, waiting: [], hasGap: false };
  const lastKept = kept.at(-1);
  const end =
    isWholeList && lastKept !== undefined
      ? fresh.findIndex((row) => keyOf(row) === keyOf(lastKept))
      : Number.MAX_SAFE_INTEGER;
  const after = added.filter((row) => fresh.indexOf(row) > end);
  const before = added.filter((row) => !after.includes(row));
  const hasGap = !isWholeList && lastCovered === -1 && before.length > 0;
  return { shown: [...kept, ...after], waiting: before, hasGap };
}

/** Shows the waiting rows at their places, which the order of the fresh page tells. A list with a gap continues from the fresh page. */
export function revealed<Row>(
  { shown, waiting, hasGap }: Merged<Row>,
  fresh: readonly Row[],
  keyOf: (row: Row) => string,
): Merged<Row> {
  if (waiting.length === 0) return { shown, waiting, hasGap };
  if (hasGap) return { shown: fresh, waiting: [], hasGap: false };
  const freshKeys = new Set(fresh.map(keyOf));
  return { shown: [...fresh, ...shown.filter((row) => !freshKeys.has(keyOf(row)))], waiting: [], hasGap: false };
}
