import { describe, expect, it } from 'vitest';
import { QueryError } from '../../../../src/services/datasets/language/errors.ts';
import type { Case } from './cases/case.ts';
import { CASES } from './cases/index.ts';
import { linesOf } from './compare.ts';
import { openDatabase } from './evaluator/database.ts';
import { evaluateQuery } from './evaluator/evaluate.ts';
import { EvaluationError, Unsupported } from './evaluator/values.ts';
import { SAMPLES } from './sample.ts';

const EXAMPLES = 159;
const beyond: string[] = [];

/** The hand-computed results and the evaluator verify each other. */
for (const [part, cases] of Object.entries(CASES)) {
  describe(`evaluator, ${part}`, () => {
    for (const each of cases) {
      if (each.compilerOnly) continue;
      const result = evaluated(each);
      if (result instanceof Unsupported) {
        beyond.push(result.message);
        continue;
      }
      it(each.name, () => {
        if ('error' in each) expect(result).toMatchObject({ message: expect.stringMatching(each.error) });
        else expect(result).toEqual(linesOf(each.rows, each.ordered ?? false));
      });
    }
  });
}

it('has a case for every numbered example of the facts', () => {
  const names = Object.values(CASES).flatMap((cases) => cases.map(({ name }) => name));
  const numbers = new Set(names.flatMap((name) => /^#(\d+):/.exec(name)?.[1] ?? []).map(Number));
  const missing = Array.from({ length: EXAMPLES }, (_, place) => place + 1).filter((each) => !numbers.has(each));
  expect(missing).toEqual([]);
});

it('leaves nothing but functions of texts, numbers and dates to the compiler alone', () => {
  for (const message of beyond) expect(message).toMatch(/^the function [A-Z]+$/);
});

function evaluated(each: Case): readonly string[] | Error {
  const { model, rows } = SAMPLES[each.model ?? 'sample'];
  try {
    return linesOf(evaluateQuery(openDatabase(model, rows), each.query), 'ordered' in each && each.ordered === true);
  } catch (error) {
    if (error instanceof Unsupported || error instanceof EvaluationError || error instanceof QueryError) return error;
    throw error;
  }
}
