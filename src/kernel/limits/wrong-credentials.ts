import type { Logger } from '../telemetry/log.ts';
import type { LimitEngine } from './engine.ts';
import type { Decision } from './rates.ts';
import { sourceOf } from './source-of.ts';
import type { ConcurrencyLimit, WindowLimit } from './table.ts';

/** What counting takes of a jar. */
export interface CountingJar {
  readonly limits: Pick<LimitEngine, 'take' | 'overrides'>;
  readonly log: Pick<Logger, 'warn'>;
}

export interface WrongCredential {
  readonly jar: CountingJar;
  readonly remoteAddress: string;
  /** The rows that count it: fixed windows, which are open again when the clock has moved by their length. Their scopes may name the `source`, and what `scopes` has. */
  readonly limits: readonly WindowLimit[];
  readonly scopes?: Readonly<Record<string, string>>;
}

/** One wrong credential too many. */
export interface TooManyWrong {
  readonly source: string;
  readonly retryAfterSeconds: number;
  /** Of the row that refuses it. */
  readonly maximum: number;
  readonly windowMs: number;
}

/**
 * Slows down who guesses secrets that cannot be guessed in any number of tries, such as tokens and keys. To be called with a credential that
 * was found to be wrong, and with no other: one that is right always passes, whatever its address has sent before, so that nobody can lock out
 * those who share an address with him (a proxy, a CI runner, this machine). Gives what to refuse a further wrong one with, `undefined` while
 * there are not too many. For secrets that people choose, see `beginGuess`.
 */
export function countWrongCredential(
  wrong: WrongCredential,
): TooManyWrong | undefined | Promise<TooManyWrong | undefined> {
  const { jar, remoteAddress, limits } = wrong;
  const source = sourceOf(remoteAddress);
  const scopes: Readonly<Record<string, string>> = { ...wrong.scopes, source };
  const uses = limits.map((limit) => ({ limit, scope: limit.scope.map((part) => scopes[part] ?? '') }));
  const decision = jar.limits.take(uses, { id: source });
  return decision instanceof Promise ? decision.then(conclude) : conclude(decision);

  function conclude({ allowed, readings, refusedBy, retryAfterSeconds }: Decision): TooManyWrong | undefined {
    if (allowed) {
      const full = readings.find(({ remaining, enforced }) => enforced && remaining === 0);
      if (full) jar.log.warn({ source, limit: full.limit.name }, 'an address sends many wrong credentials');
      return undefined;
    }
    const use = uses.find(({ limit }) => limit === refusedBy);
    if (!use) return undefined;
    const { maximum, windowMs } = jar.limits.overrides.of(use.limit, use.scope);
    return { source, retryAfterSeconds, maximum, windowMs };
  }
}

export interface Guess {
  /** To be called when the secret was compared. */
  readonly done: () => void;
}

export interface GuessRows {
  readonly jar: CountingJar;
  readonly remoteAddress: string;
  /** Counts what was wrong. */
  readonly wrong: WindowLimit;
  /** How many may be compared at once: those that are under way are not counted yet. */
  readonly atOnce: ConcurrencyLimit;
  readonly scopes: Readonly<Record<string, string>>;
}

/**
 * To be asked before a password, or another secret that people choose, is compared: past the limit nothing is compared, the right one
 * neither, or a thousand guesses would be as good as ten. So the scope has whose secret it is and the source, and others go on.
 */
export async function beginGuess(rows: GuessRows): Promise<Guess | TooManyWrong> {
  const { jar, remoteAddress, wrong, atOnce } = rows;
  const source = sourceOf(remoteAddress);
  const scopes: Readonly<Record<string, string>> = { ...rows.scopes, source };
  const scopeOf = (limit: WindowLimit | ConcurrencyLimit): string[] => limit.scope.map((part) => scopes[part] ?? '');
  const uses = [
    { limit: wrong, scope: scopeOf(wrong), cost: 0 },
    { limit: atOnce, scope: scopeOf(atOnce) },
  ];
  const { allowed, readings, release } = await jar.limits.take(uses, { id: source });
  const [counted] = readings;
  if (allowed && !(counted?.enforced && counted.remaining === 0)) return { done: release ?? (() => {}) };
  release?.();
  const { maximum, windowMs } = jar.limits.overrides.of(wrong, scopeOf(wrong));
  return { source, maximum, windowMs, retryAfterSeconds: allowed ? Math.ceil(windowMs / 1000) : 1 };
}
