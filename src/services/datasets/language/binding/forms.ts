import { SCALAR_FUNCTIONS, scalarFunction } from '../scalar/functions.ts';
import type { Call } from '../syntax/ast.ts';
import { AGGREGATES } from './aggregates.ts';
import type { Form } from './binder.ts';
import { CONTEXT_FORMS } from './context.ts';
import { SCALAR_FORMS } from './scalar-forms.ts';
import { SUMMARY_FORMS } from './summaries.ts';
import { TABLE_FORMS } from './tables.ts';

/** Functions that need more than the values of their arguments, by name. */
const FORMS = new Map<string, Form>(
  [SCALAR_FORMS, AGGREGATES, CONTEXT_FORMS, TABLE_FORMS, SUMMARY_FORMS].flatMap((forms) => Object.entries(forms)),
);
const OWN_ROWS = new Set([
  ...[AGGREGATES, CONTEXT_FORMS, TABLE_FORMS, SUMMARY_FORMS].flatMap((forms) => Object.keys(forms)),
  'HASONEVALUE',
  'SELECTEDVALUE',
]);
const TABLES = new Set([...Object.keys(TABLE_FORMS), ...Object.keys(SUMMARY_FORMS), 'CALCULATETABLE', 'RELATEDTABLE']);
/** Valid only as arguments of functions that change filters. */
const MODIFIERS = new Set(['REMOVEFILTERS', 'KEEPFILTERS', 'ALLEXCEPT']);
/** Other functions whose names variables must not have. */
const RESERVED = new Set(['DATE', 'TRUE', 'FALSE']);

/** Every function that a query can call. */
export const functionNames = (): string[] => [...FORMS.keys(), ...SCALAR_FUNCTIONS.keys()];

export const formOf = (name: string): Form | undefined => FORMS.get(name);

export const isModifier = (name: string): boolean => MODIFIERS.has(name);

export const isFunction = (name: string): boolean =>
  FORMS.has(name) || scalarFunction(name) !== undefined || MODIFIERS.has(name);

export const returnsTable = (name: string): boolean => TABLES.has(name);

/** True if the columns in the arguments of a call refer to rows that the function itself iterates over. */
export function hasOwnRows({ name, args }: Call): boolean {
  if ((name === 'MIN' || name === 'MAX') && args.length === 2) return false;
  return OWN_ROWS.has(name);
}

/** Names that variables must not have. In the real engine these are about half of all functions. */
export const isReserved = (name: string): boolean => FORMS.has(name.toUpperCase()) || RESERVED.has(name.toUpperCase());
