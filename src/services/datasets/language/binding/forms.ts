import { SCALAR_FUNCTIONS, scalarFunction } from '../scalar/functions.ts';
import type { Call } from '../syntax/ast.ts';
import { AGGREGATES } from './aggregates.ts';
import type { Form } from './binder.ts';
import { CONTEXT_FORMS } from './context.ts';
import { SCALAR_FORMS } from './scalar-forms.ts';
import { SUMMARY_FORMS } from './summaries.ts';
import { TABLE_FORMS } from './tables.ts';

/** Functions that are more than a computation with their values, by what they do. */
const FORMS = new Map<string, Form>(
  [SCALAR_FORMS, AGGREGATES, CONTEXT_FORMS, TABLE_FORMS, SUMMARY_FORMS].flatMap((forms) => Object.entries(forms)),
);
const OWN_ROWS = new Set([
  ...[AGGREGATES, CONTEXT_FORMS, TABLE_FORMS, SUMMARY_FORMS].flatMap((forms) => Object.keys(forms)),
  'HASONEVALUE',
  'SELECTEDVALUE',
]);
const TABLES = new Set([...Object.keys(TABLE_FORMS), ...Object.keys(SUMMARY_FORMS), 'CALCULATETABLE', 'RELATEDTABLE']);
/** What only those take who change filters. */
const MODIFIERS = new Set(['REMOVEFILTERS', 'KEEPFILTERS', 'ALLEXCEPT']);
/** Functions whose names variables cannot have either. */
const RESERVED = new Set(['DATE', 'TRUE', 'FALSE']);

/** Every function that a query can call. */
export const functionNames = (): string[] => [...FORMS.keys(), ...SCALAR_FUNCTIONS.keys()];

export const formOf = (name: string): Form | undefined => FORMS.get(name);

export const isModifier = (name: string): boolean => MODIFIERS.has(name);

export const isFunction = (name: string): boolean =>
  FORMS.has(name) || scalarFunction(name) !== undefined || MODIFIERS.has(name);

/** Whether the result of a function is a table. */
export const givesTable = (name: string): boolean => TABLES.has(name);

/** Whether the columns among the arguments of a call belong to rows of its own. */
export function hasOwnRows({ name, args }: Call): boolean {
  if ((name === 'MIN' || name === 'MAX') && args.length === 2) return false;
  return OWN_ROWS.has(name);
}

/** About half of all functions, in the real engine. */
export const isReserved = (name: string): boolean => FORMS.has(name.toUpperCase()) || RESERVED.has(name.toUpperCase());
