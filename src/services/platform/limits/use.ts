import type { Limit, Limits } from '../../../kernel/limits/index.ts';

/** Whose use of the limits a caller sees. */
export interface Visible {
  /** Values by the part of a scope that they stand for; scopes begin with one of these. */
  readonly within: Readonly<Partial<Record<string, readonly string[]>>>;
  /** Whether a scope that names one object or person is shown; `names` are the parts of the limit's scope. */
  shows(names: readonly string[], scope: readonly string[]): boolean;
}

export interface UseOf {
  readonly scope: readonly string[];
  readonly used: number;
  readonly remaining: number;
  readonly maximum: number;
}

/** Of so many scopes of a limit the use is shown, the fullest first. */
const MOST_SHOWN = 20;
/** Of so many in each workspace or account it is asked, since not all of them may be shown. */
const MOST_ASKED = 10_000;

/** The use of a limit in the scopes that begin with something visible. */
export async function useOf(limits: Limits, limit: Limit, visible: Visible): Promise<readonly UseOf[]> {
  const [first, ...others] = limit.scope;
  const values = (first !== undefined && visible.within[first]) || [];
  if (limit.kind === 'bound') return [];
  const most = others.length > 0 ? MOST_ASKED : 1;
  const found = await Promise.all(values.map((value) => limits.usage(limit, { where: new Map([[0, value]]), most })));
  return found
    .flat()
    .filter(({ used, scope }) => used > 0 && visible.shows(limit.scope, scope))
    .toSorted((a, b) => b.used - a.used)
    .slice(0, MOST_SHOWN);
}
