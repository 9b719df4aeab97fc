import { isList, type Json, type JsonMembers } from '../../../kernel/values/index.ts';

/** Accessors for parts of stored or received JSON; a value of another type counts as absent. */

export const membersOf = (value: Json | undefined): JsonMembers =>
  typeof value === 'object' && value !== null && !isList(value) ? value : {};

export const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

export const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export const numberOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

export const textsOf = (value: Json | undefined): readonly string[] =>
  listOf(value).filter((each) => typeof each === 'string');
