/** The candidate that a mistyped word most likely means, if one is similar enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = typosAllowed(wanted) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` (did you mean 'displayName'?)` for a message, or an empty text. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const near = didYouMean(word, candidates);
  return near === undefined ? '' : ` (did you mean '${near}'?)`;
}

/** One typo in a short word, up to three in a long one; more would suggest unrelated words. */
export const typosAllowed = (word: string): number => Math.min(3, Math.max(1, Math.floor(word.length / 3)));

/**
 * Edit distance with insertions, deletions, replacements and swaps of neighbours. Stops and returns at least `limit` once it reaches that.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    // A swap uses the row before last and adds one.
    if (least >= limit && Math.min(...last) >= limit - 1) return limit;
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}
