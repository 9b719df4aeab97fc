import type { Logger } from '../telemetry/log.ts';
import type { LimitEngine } from './engine.ts';
import type { Decision } from './rates.ts';
import { sourceOf } from './source-of.ts';
import type { ConcurrencyLimit, WindowLimit } from './table.ts';

/** The part of the jar that counting needs. */
export interface CountingJar {
  readonly limits: Pick<LimitEngine, 'take' | 'overrides'>;
  readonly log: Pick<Logger, 'warn'>;
}

export interface WrongCredential {
  readonly jar: CountingJar;
  readonly remoteAddress: string;
  /**
   * The limits that count wrong credentials: fixed windows, which are free again once the clock has advanced by their length. Their scopes
   * may use `source` and the names in `scopes`.
   */
  readonly limits: readonly WindowLimit[];
  readonly scopes?: Readonly<Record<string, string>>;
}

/** A refusal because of too many wrong credentials. */
export interface CredentialRefusal {
  readonly source: string;
  readonly retryAfterSeconds: number;
  /** From the limit that refuses. */
  readonly maximum: number;
  readonly windowMs: number;
}

/**
 * Slows down guessing of secrets that are too long to guess, such as tokens and keys. Call it only for credentials found to be wrong.
 * Correct credentials are always accepted, whatever the same address has sent before, so that nobody can lock out others who share the
 * address (a proxy, a CI runner, this machine). Returns the details for refusing further wrong credentials; undefined while the limit is
 * not exceeded. For secrets that people choose, see `admitAttempt`.
 */
export function countWrongCredential(
  wrong: WrongCredential,
): CredentialRefusal | undefined | Promise<CredentialRefusal | undefined> {
  const { jar, remoteAddress, limits } = wrong;
  const source = sourceOf(remoteAddress);
  const scopes: Readonly<Record<string, string>> = { ...wrong.scopes, source };
  const uses = limits.map((limit) => ({ limit, scope: limit.scope.map((part) => scopes[part] ?? '') }));
  const decision = jar.limits.take(uses, { id: source });
  return decision instanceof Promise ? decision.then(conclude) : conclude(decision);

  function conclude({ allowed, readings, refusedBy, retryAfterSeconds }: Decision): CredentialRefusal | undefined {
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
  /** Call after the secret was compared. */
  readonly done: () => void;
}

export interface GuessRows {
  readonly jar: CountingJar;
  readonly remoteAddress: string;
  /** Counts wrong secrets. */
  readonly wrong: WindowLimit;
  /** Limits concurrent comparisons, because running ones are not counted yet. */
  readonly atOnce: ConcurrencyLimit;
  readonly scopes: Readonly<Record<string, string>>;
}

/**
 * Call before comparing a password, or another secret that people choose: beyond the limit nothing is compared, not even the correct
 * secret, because otherwise an attacker could go on guessing. So the scope contains the owner of the secret and the source, and other users
 * are not affected.
 */
export async function admitAttempt(rows: GuessRows): Promise<Guess | CredentialRefusal> {
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
