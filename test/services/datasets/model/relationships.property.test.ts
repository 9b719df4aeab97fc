import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Mistakes } from '../../../../src/services/datasets/model/mistakes.ts';
import { readRelationships } from '../../../../src/services/datasets/model/relationships.ts';

const NAMES = ['A', 'B', 'C', 'D', 'E'];
const tables = NAMES.map((name) => ({ name, columns: [{ name: 'k', type: 'int64' as const }] }));

/** From the one side to the many side. */
type Edge = readonly [to: string, from: string];

/** Every path from a table to another, or back to itself, without repeating an edge. */
function waysFrom(table: string, edges: readonly Edge[]): string[] {
  return edges.flatMap(([to, from], i) =>
    to === table ? [from, ...waysFrom(from, [...edges.slice(0, i), ...edges.slice(i + 1)])] : [],
  );
}

it('relationships are accepted if at most one filter path leads from any table to any other, and none back', () => {
  const end = fc.constantFrom(...NAMES);
  const edges = fc.array(
    fc.tuple(end, end).filter(([to, from]) => to !== from),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(edges, (drawn) => {
      const sent = drawn.map(([to, from], i) => ({
        name: `r${i}`,
        fromTable: from,
        fromColumn: 'k',
        toTable: to.toLowerCase(),
        toColumn: 'K',
      }));
      const mistakes = new Mistakes();
      const read = readRelationships(sent, tables, mistakes);
      const isClear = NAMES.every((name) => {
        const ways = waysFrom(name, drawn);
        return !ways.includes(name) && new Set(ways).size === ways.length;
      });
      expect(mistakes.any).toBe(!isClear);
      expect(read.map(({ toTable, toColumn }) => [toTable, toColumn])).toEqual(drawn.map(([to]) => [to, 'k']));
    }),
  );
});
