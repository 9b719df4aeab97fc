import { checkMeasures as problemsOf } from '../language/index.ts';
import type { Model } from '../language/model.ts';
import type { Mistakes } from './mistakes.ts';

/** Validates the measures of a model before it is stored, with the parser that queries use. */
export function checkMeasures(model: Model, mistakes: Mistakes, sent?: string): void {
  for (const { table, measure, message, position } of problemsOf(model)) {
    const at = position ? ` (${position.line}, ${position.column})` : '';
    mistakes.add(placeOf(model, table, measure, sent), `Measure [${measure}]${at}: ${message}`);
  }
}

/** The path of a measure in the request: in a whole dataset, or in the single table that was sent. */
function placeOf({ tables }: Model, tableName: string, measureName: string, sent: string | undefined): string {
  const index = tables.findIndex(({ name }) => name === tableName);
  const measure = `measures[${tables[index]?.measures.findIndex(({ name }) => name === measureName)}].expression`;
  return tableName === sent ? measure : `tables[${index}].${measure}`;
}
