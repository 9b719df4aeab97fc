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
/** The scopes of a limit that are searched for visible ones; the kernel looks at no more either. */
const MOST_SEARCHED = 10_000;

/** The use of a limit in the scopes that begin with something visible. */
export async function useOf(limits: Limits, limit: Limit, visible: Visible): Promise<readonly UseOf[]> {
  const [first, ...others] = limit.scope;
  const values = (first !== undefined && visible.within[first]) || [];
  if (values.length === 0 || limit.kind === 'bound') return [];
  const found =
    limit.kind === 'quota' && others.length > 0
      ? (await searched(limits, limit, new Set(values))).filter(({ scope }) => visible.shows(limit.scope, scope))
      : (await Promise.all(values.map((value) => ofOne(limits, limit, value)))).flat();
  return found.toSorted((a, b) => b.used - a.used).slice(0, MOST_SHOWN);
}

async function searched(limits: Limits, limit: Limit, values: ReadonlySet<string>): Promise<readonly UseOf[]> {
  const all = await limits.usage(limit, { where: new Map(), most: MOST_SEARCHED });
  return all.filter(({ scope }) => values.has(scope[0] as string));
}

async function ofOne(limits: Limits, limit: Limit, value: string): Promise<readonly UseOf[]> {
  if (limit.kind !== 'quota') return limits.usage(limit, { where: new Map([[0, value]]), most: MOST_SHOWN });
  const { used, maximum } = await limits.quotaStanding(limit, [value]);
  return used === 0 ? [] : [{ scope: [value], used, remaining: Math.max(0, maximum - used), maximum }];
}
