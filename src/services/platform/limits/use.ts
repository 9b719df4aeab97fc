import type { Limit, Limits } from '../../../kernel/limits/index.ts';

/** The scopes whose usage a caller may see. */
export interface Visible {
  /** Values by part of a scope; every scope starts with one of these. */
  readonly within: Readonly<Partial<Record<string, readonly string[]>>>;
  /** Whether to show a scope that names an object or a principal; `names` are the parts of the limit's scope. */
  shows(names: readonly string[], scope: readonly string[]): boolean;
}

export interface UseOf {
  readonly scope: readonly string[];
  readonly used: number;
  readonly remaining: number;
  readonly maximum: number;
}

/** Maximum scopes of a limit that are shown, the fullest first. */
const MOST_SHOWN = 20;
/** Maximum scopes that are read per workspace or account, since some of them may not be shown. */
const MOST_ASKED = 10_000;

/** Usage of a limit in the scopes that start with a visible value. */
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
