import { checkMeasures as problemsOf } from '../language/index.ts';
import type { Model } from '../language/model.ts';
import type { Mistakes } from './mistakes.ts';

/** Checks the measures of a model before it is stored, by the parser that queries go through. */
export function checkMeasures(model: Model, mistakes: Mistakes): void {
  for (const { table, measure, message, position } of problemsOf(model)) {
    const place = position ? ` (${position.line}, ${position.column})` : '';
    mistakes.add(`tables.${table}.measures.${measure}`, `Measure [${measure}]${place}: ${message}`);
  }
}
