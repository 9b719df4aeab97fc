import type { Model } from '../language/model.ts';
import type { Mistakes } from './mistakes.ts';

/**
 * Checks the measures of a model before it is stored. To be connected: the language has a function of the same name that parses each expression and
 * binds it to the model; until then every measure is accepted.
 */
export function checkMeasures(_model: Model, _mistakes: Mistakes): void {}
