import type { Filter, Scalar } from './types.ts';

/** Short forms for the most common filters. */
export const eq = (field: string, value: Scalar | null) => ({ op: 'eq', field, value }) as const;

export const atLeast = (field: string, value: Scalar): Filter => ({ op: 'ge', field, value });

export const atMost = (field: string, value: Scalar): Filter => ({ op: 'le', field, value });

/** Conjunction of all arguments; undefined ones are ignored. */
export const allOf = (...args: readonly (Filter | undefined)[]): Filter => ({
  op: 'and',
  args: args.filter((each) => each !== undefined),
});
