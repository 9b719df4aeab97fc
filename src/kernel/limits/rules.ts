import { scopeKey } from './scope.ts';
import type { Limit, Mode } from './table.ts';

/** The rule in force for one limit in one scope: the row with its overrides applied. It has the same shape for all kinds. */
export interface Rule {
  readonly mode: Mode;
  /** The size of a bucket, or the limit of other kinds. */
  readonly maximum: number;
  /** Only for buckets. */
  readonly refillPerSecond: number;
  /** Only for windows. */
  readonly windowMs: number;
}

/** The fields of an override; absent fields keep their value. */
export interface Adjustment {
  readonly limit?: number;
  readonly size?: number;
  readonly refillPerSecond?: number;
  readonly windowMs?: number;
  readonly mode?: Mode;
}

export interface Override extends Adjustment {
  readonly name: string;
  /** Some or all parts of the limit's scope. If absent, the override applies to all scopes. */
  readonly scope?: Readonly<Record<string, string>>;
}

export function baseRule(limit: Limit, standingClock: boolean): Rule {
  const shadow = standingClock && limit.incidental === true;
  return {
    mode: limit.mode ?? (shadow ? 'shadow' : 'enforced'),
    maximum: limit.kind === 'bucket' ? limit.size : limit.limit,
    refillPerSecond: limit.kind === 'bucket' ? limit.refillPerSecond : 0,
    windowMs: ('windowMs' in limit ? limit.windowMs : undefined) ?? 0,
  };
}

/** Setting a number on a limit in mode `unlimited` also enforces it. */
function adjust(rule: Rule, change: Adjustment): Rule {
  const maximum = change.limit ?? change.size;
  const numbers = maximum ?? change.refillPerSecond ?? change.windowMs;
  return {
    mode: change.mode ?? (numbers !== undefined && rule.mode === 'unlimited' ? 'enforced' : rule.mode),
    maximum: maximum ?? rule.maximum,
    refillPerSecond: change.refillPerSecond ?? rule.refillPerSecond,
    windowMs: change.windowMs ?? rule.windowMs,
  };
}

/** The overrides of one limit that name the same parts of the scope, keyed by the values of those parts. */
interface Layer {
  readonly parts: readonly number[];
  readonly byValues: ReadonlyMap<string, Adjustment>;
}

/** The rules in force for all scopes of one limit. An override that names more parts of the scope takes precedence. */
export class Rules {
  readonly #general: Rule;
  readonly #layers: readonly Layer[];

  constructor(limit: Limit, standingClock: boolean, overrides: readonly Override[]) {
    const general = overrides.find(({ scope }) => scope === undefined);
    const base = baseRule(limit, standingClock);
    this.#general = general ? adjust(base, general) : base;
    const scoped = overrides.filter(({ scope }) => scope !== undefined);
    const named = Map.groupBy(scoped, ({ scope = {} }) =>
      limit.scope.flatMap((part, index) => (Object.hasOwn(scope, part) ? [index] : [])).join(),
    );
    this.#layers = [...named.values()]
      .map((same) => layerOf(limit, same))
      .sort((a, b) => a.parts.length - b.parts.length || (a.parts.join() < b.parts.join() ? 1 : -1));
  }

  /** The rule of scopes without an override of their own. */
  get general(): Rule {
    return this.#general;
  }

  of(scope: readonly string[]): Rule {
    let rule = this.#general;
    for (const { parts, byValues } of this.#layers) {
      const change = byValues.get(valuesKey(parts.map((index) => scope[index] ?? '')));
      if (change) rule = adjust(rule, change);
    }
    return rule;
  }
}

function layerOf(limit: Limit, overrides: readonly Override[]): Layer {
  const { scope: first = {} } = overrides[0] as Override;
  const parts = limit.scope.flatMap((part, index) => (Object.hasOwn(first, part) ? [index] : []));
  const keyOf = ({ scope = {} }: Override): string =>
    valuesKey(parts.map((index) => scope[limit.scope[index] as string] as string));
  return { parts, byValues: new Map(overrides.map((each) => [keyOf(each), each])) };
}

/** Ids are compared without case, as elsewhere. */
const valuesKey = (values: readonly string[]): string => scopeKey(values).toLowerCase();
