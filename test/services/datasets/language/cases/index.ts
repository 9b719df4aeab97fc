import { AGGREGATES } from './aggregates.ts';
import { BLANKS } from './blanks.ts';
import type { Case } from './case.ts';
import { CONTEXT_CASES } from './contexts.ts';
import { FUNCTIONS } from './functions.ts';
import { GRAMMAR } from './grammar.ts';
import { MISTAKES } from './mistakes.ts';
import { OTHER_MODELS } from './models.ts';
import { RELATIONSHIPS } from './relationships.ts';
import { SUMMARIZE } from './summarize.ts';
import { SUMMARIZECOLUMNS } from './summarize-columns.ts';
import { TABLES } from './tables.ts';

/** All hand-computed results, by section of the facts. */
export const CASES: Readonly<Record<string, readonly Case[]>> = {
  grammar: GRAMMAR,
  mistakes: MISTAKES,
  blanks: BLANKS,
  relationships: RELATIONSHIPS,
  'other models': OTHER_MODELS,
  contexts: CONTEXT_CASES,
  SUMMARIZECOLUMNS,
  SUMMARIZE,
  tables: TABLES,
  aggregates: AGGREGATES,
  functions: FUNCTIONS,
};
