import { expect, it } from 'vitest';
import { aggregate } from '../../../../src/services/platform/sql/evaluation/aggregate.ts';
import { decide } from '../../../../src/services/platform/sql/evaluation/compare.ts';
import type { Cell } from '../../../../src/services/platform/sql/results/collections.ts';

const about = (operator: string, value: Cell | undefined, cells: readonly Cell[], aggregation?: string) =>
  decide(
    {
      source: { name: 'a', aggregation },
      operator,
      threshold: value === undefined ? undefined : { value },
      empty: 'UNKNOWN',
    },
    { columns: ['a'], rows: cells.map((cell) => [cell]) },
  );

it.each([
  ['GREATER_THAN', 5, [5], 'OK'],
  ['GREATER_THAN', 5, ['5.5'], 'TRIGGERED'],
  ['GREATER_THAN_OR_EQUAL', 5, [5], 'TRIGGERED'],
  ['LESS_THAN', 5, [-1], 'TRIGGERED'],
  ['LESS_THAN_OR_EQUAL', 5, [6], 'OK'],
  ['EQUAL', 'x', ['x'], 'TRIGGERED'],
  ['EQUAL', '7', [7], 'TRIGGERED'],
  ['NOT_EQUAL', 'x', ['y'], 'TRIGGERED'],
  ['EQUAL', true, ['TRUE'], 'TRIGGERED'],
  ['NOT_EQUAL', false, [true], 'TRIGGERED'],
  ['IS_NULL', undefined, [null], 'TRIGGERED'],
  ['IS_NULL', undefined, [0], 'OK'],
  ['IS_NOT_NULL', undefined, [''], 'TRIGGERED'],
  ['EQUAL', 5, [null], 'OK'],
  ['NOT_EQUAL', 5, [null], 'OK'],
  ['GREATER_THAN', 5, [9, 1], 'TRIGGERED'],
  ['GREATER_THAN', 5, [1, 9], 'OK'],
  ['GREATER_THAN', 5, [], 'UNKNOWN'],
] as const)('%s %j with the rows %j is %s', (operator, value, cells, state) => {
  expect(about(operator, value, cells)).toMatchObject({ state });
});

it.each([
  ['GREATER_THAN', 5, ['many']],
  ['GREATER_THAN', undefined, [5]],
  ['LESS_THAN', true, [5]],
] as const)('%s %j with the rows %j is a problem', (operator, value, cells) => {
  expect(about(operator, value, cells)).toEqual({ problem: expect.any(String) });
});

it('a threshold may be another column, also aggregated', () => {
  const found = {
    columns: ['a', 'b'],
    rows: [
      [1, 2],
      [5, 3],
    ],
  };
  const rule = { source: { name: 'A', aggregation: 'MAX' }, operator: 'GREATER_THAN', empty: 'OK' } as const;
  const column = { name: 'b', aggregation: 'SUM' };
  expect(decide({ ...rule, threshold: { column } }, found)).toEqual({ state: 'OK', value: 5 });
  expect(decide({ ...rule, threshold: { column: { name: 'b' } } }, found)).toEqual({ state: 'TRIGGERED', value: 5 });
  expect(decide({ ...rule, threshold: { column: { name: 'c' } } }, found)).toHaveProperty('problem');
});

it.each([
  ['COUNT', [1, null, 'x'], 2],
  ['COUNT_DISTINCT', [1, 1, '1', null], 2],
  ['SUM', [1, '2', null], 3],
  ['AVG', [1, 2], 1.5],
  ['MEDIAN', [9, 1, 4], 4],
  ['MEDIAN', [9, 1, 4, 5], 4.5],
  ['STDDEV', [2, 4], Math.SQRT2],
  ['STDDEV', [2], null],
  ['MAX', ['10', '9'], '10'],
  ['MIN', ['b', 'a', null], 'a'],
  ['MAX', [null], null],
  ['COUNT', [null], 0],
  ['SUM', ['x'], null],
] as const)('%s of %j is %j', (name, cells, value) => {
  expect(aggregate(name, cells)).toEqual(value);
});
