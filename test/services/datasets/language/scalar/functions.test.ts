import { expect, test } from 'vitest';
import { SCALAR_FUNCTIONS } from '../../../../../src/services/datasets/language/scalar/functions.ts';
import type { Case } from './cases/case.ts';
import { DATE_CASES } from './cases/dates.ts';
import { FORMAT_CASES } from './cases/formats.ts';
import { MATHS_CASES } from './cases/maths.ts';
import { TEXT_CASES } from './cases/texts.ts';
import { onBothEngines, show } from './evaluator.ts';

const AREAS: readonly (readonly [string, readonly Case[]])[] = [
  ['texts', TEXT_CASES],
  ['maths', MATHS_CASES],
  ['dates', DATE_CASES],
  ['formats and types', FORMAT_CASES],
];

for (const [area, cases] of AREAS) {
  onBothEngines(`functions of ${area}`, (evaluator) => {
    for (const [name, args, expected] of cases) {
      test(`${name}(${args.map(show).join(', ').slice(0, 120)}) is ${show(expected).slice(0, 120)}`, async () => {
        expect(show(await evaluator.call(name, ...args))).toBe(show(expected));
      });
    }
  });
}

test('every function has a case', () => {
  const tested = new Set(AREAS.flatMap(([, cases]) => cases.map(([name]) => name)));
  expect([...SCALAR_FUNCTIONS.keys()].filter((name) => !tested.has(name))).toEqual([]);
});
