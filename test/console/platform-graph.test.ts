import { expect, test } from 'vitest';
import { layoutOf, type Needing, NODE } from '../../console/src/pages/platform/graph/layout.ts';

const after = (id: string, ...needs: string[]): Needing => ({ id, needs: needs.map((each) => ({ id: each })) });

const columnOf = (things: readonly Needing[]): Record<string, number> => {
  const { places } = layoutOf(things);
  const steps = [...new Set([...places.values()].map(({ x }) => x))].sort((one, other) => one - other);
  return Object.fromEntries(things.map(({ id }) => [id, steps.indexOf(places.get(id)?.x ?? -1)]));
};

test('each thing is right of everything that it waits for', () => {
  expect(columnOf([after('d', 'b', 'c'), after('c', 'b'), after('a'), after('b', 'a')])).toEqual({
    a: 0,
    b: 1,
    c: 2,
    d: 3,
  });
});

test('things in a column do not overlap, and neither does an edge that passes them', () => {
  const things = [after('a'), after('b', 'a'), after('c', 'a'), after('d', 'b', 'c', 'a'), after('e', 'd', 'a')];
  const { places, edges } = layoutOf(things);
  const all = [...places.values()];
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1)) {
      if (one.x === other.x) expect(Math.abs(one.y - other.y)).toBeGreaterThan(8);
    }
  }
  const long = edges.find(({ from, to }) => from === 'a' && to === 'e');
  // It passes two columns, on a straight line in each.
  expect(long?.points).toHaveLength(6);
  const inSecond = long?.points[1]?.y ?? 0;
  for (const id of ['b', 'c']) {
    const { y = 0 } = places.get(id) ?? {};
    expect(inSecond <= y || inSecond >= y + NODE.height, id).toBe(true);
  }
});

test('a need that is unknown, an empty graph and a circle do no harm', () => {
  expect(layoutOf([])).toMatchObject({ width: 0, height: 0, edges: [] });
  expect(layoutOf([after('a', 'gone')]).edges).toEqual([]);
  expect(layoutOf([after('a', 'b'), after('b', 'a')]).places.size).toBe(2);
});

test('a chain of a thousand things is placed', () => {
  const chain = Array.from({ length: 1000 }, (_, index) => after(`${index}`, ...(index > 0 ? [`${index - 1}`] : [])));
  const { width } = layoutOf(chain);
  expect(width).toBeGreaterThan(999 * NODE.width);
});
