import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pseudoRandom } from '../../../src/kernel/faults/pseudo-random.ts';
import {
  type FaultCounts,
  type FaultSchedule,
  firesOn,
  isExhausted,
  NO_COUNTS,
} from '../../../src/kernel/faults/rule.ts';

/** The matches, of the first `matches`, on which a single rule fires. */
function strikes(schedule: FaultSchedule, matches: number): number[] {
  let counts: FaultCounts = NO_COUNTS;
  const struck: number[] = [];
  for (let i = 0; i < matches && !isExhausted(schedule, counts); i++) {
    const matched = counts.matched + 1;
    const fires = firesOn(schedule, matched);
    if (fires) struck.push(matched);
    counts = { ...counts, matched, hits: counts.hits + (fires ? 1 : 0) };
  }
  return struck;
}

describe('a rule strikes', () => {
  it.each([
    [{}, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ count: 2 }, [1, 2]],
    [{ nth: 4 }, [4]],
    [{ every: 3 }, [3, 6, 9]],
    [{ every: 3, count: 2 }, [3, 6]],
    [{ share: 0 }, []],
    [{ share: 1 }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ share: 1, every: 4 }, [4, 8]],
  ])('by %j on %j', (schedule, expected) => {
    expect(strikes(schedule, 9)).toEqual(expected);
  });

  it('never more often than its count, never off its beat, and the same every time', () => {
    const schedule = fc.record({
      count: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
      every: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
      share: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      seed: fc.oneof(fc.integer(), fc.string()),
    });
    fc.assert(
      fc.property(schedule, (given) => {
        const struck = strikes(given, 100);
        expect(strikes(given, 100)).toEqual(struck);
        expect(struck.length).toBeLessThanOrEqual(given.count ?? 100);
        for (const n of struck) expect(n % (given.every ?? 1)).toBe(0);
        // More matches do not change the earlier results.
        expect(strikes(given, 200).slice(0, struck.length)).toEqual(struck);
      }),
    );
  });
});

describe('the draw of a share', () => {
  it.each([1, 2, 3, 'nightly', 'a seed', -7])('under the seed %j comes near the share, in any stretch', (seed) => {
    for (const share of [0.1, 0.5, 0.9]) {
      for (const start of [0, 5000]) {
        let hits = 0;
        for (let n = start + 1; n <= start + 5000; n++) if (pseudoRandom(seed, n) < share) hits += 1;
        expect(Math.abs(hits / 5000 - share)).toBeLessThan(0.03);
      }
    }
  });

  it('is another sequence under another seed', () => {
    const sequence = (seed: number | string): string =>
      Array.from({ length: 64 }, (_, n) => (pseudoRandom(seed, n) < 0.5 ? '1' : '0')).join('');
    const seen = new Set(Array.from({ length: 500 }, (_, seed) => sequence(seed)));
    expect(seen.size).toBe(500);
  });
});
