import { formatDuration } from '../../kernel/clock/duration.ts';
import type { Call } from '../../kernel/http/route.ts';
import type { Jar } from '../../kernel/jar-context.ts';
import { type Decision, type QuotaLimit, retryHeaders, type WindowLimit } from '../../kernel/limits/index.ts';
import { errors } from './errors.ts';
import type { Account } from './keys/account.ts';
import { accountOf } from './keys/authenticate.ts';
import { CHARACTERS, FREE_CHARACTERS, MONTHLY_CHARACTERS, TIER_CHARACTERS } from './limits.ts';

/** Takes the characters of a request from what its key may send in a month and in a minute. What is refused takes nothing. */
export async function takeCharacters(call: Call, characters: number): Promise<void> {
  const account = accountOf(call);
  const { jar } = call;
  const month = new Date(jar.clock.now()).toISOString().slice(0, 'yyyy-mm'.length);
  const allowances = allowancesOf(account).filter((limit) => isMetered(jar, limit, [account.name, month]));
  if (allowances.length > 0) await takeAllowances(jar, allowances, account, month, characters);
  const decision = await takeRate(jar, account, characters);
  if (decision.allowed) return;
  if (allowances.length > 0) await giveBack(jar, allowances, account, month, characters);
  throw tooMany(jar, account, decision);
}

const allowancesOf = ({ tier }: Account): readonly QuotaLimit[] =>
  tier === 'F0' ? [MONTHLY_CHARACTERS, FREE_CHARACTERS] : [MONTHLY_CHARACTERS];

/** A transaction for a count that refuses nothing would cost every request of every key. */
const isMetered = ({ limits }: Jar, limit: QuotaLimit, scope: readonly string[]): boolean =>
  limits.overrides.of(limit, scope).mode !== 'unlimited';

async function takeAllowances(
  { store, limits }: Jar,
  allowances: readonly QuotaLimit[],
  { name }: Account,
  month: string,
  characters: number,
): Promise<void> {
  await store.transact(async (tx) => {
    for (const limit of allowances) {
      const decision = await limits.takeQuota(tx, { limit, scope: [name, month], count: characters });
      if (decision.allowed) continue;
      const { current: used, maximum } = decision;
      throw errors.AllowanceUsedUp({ name, month, used, maximum, characters });
    }
  });
}

async function giveBack(
  { store, limits }: Jar,
  allowances: readonly QuotaLimit[],
  { name }: Account,
  month: string,
  characters: number,
): Promise<void> {
  await store.transact(async (tx) => {
    for (const limit of allowances) await limits.freeQuota(tx, { limit, scope: [name, month], count: characters });
  });
}

function takeRate({ limits }: Jar, { name, tier }: Account, characters: number): Decision | Promise<Decision> {
  const rows = tier === undefined ? [CHARACTERS] : [CHARACTERS, TIER_CHARACTERS[tier]];
  const uses = rows.map((limit) => ({ limit, scope: [name], cost: characters }));
  return limits.take(uses, { id: name, name });
}

function tooMany({ limits }: Jar, { name }: Account, decision: Decision): Error {
  const { refusedBy, retryAfterSeconds, hopeless } = decision;
  const { maximum, windowMs } = limits.overrides.of(refusedBy as WindowLimit, [name]);
  // A text that is longer than the limit never gets through: its client is told to come back soon, as the real service does, and why that is in vain.
  const seconds = hopeless ? Math.ceil(windowMs / 1000) : retryAfterSeconds;
  const advice = hopeless ? 'a request as long as this one never fits into it' : `try again in ${seconds} s`;
  return errors.TooManyCharacters(
    { name, maximum, window: formatDuration(windowMs), advice },
    { headers: retryHeaders({ retryAfterSeconds: seconds }) },
  );
}
