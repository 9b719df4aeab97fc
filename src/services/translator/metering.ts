import { type Decision, type QuotaLimit, retryHeaders, type WindowLimit } from '../../kernel/limits/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import { formatDuration } from '../../kernel/time/index.ts';
import { errors } from './errors.ts';
import type { Account } from './keys/account.ts';
import { accountOf } from './keys/authenticate.ts';
import { CHARACTERS, FREE_CHARACTERS, MONTHLY_CHARACTERS, TIER_CHARACTERS } from './limits.ts';

interface Charge {
  readonly jar: Jar;
  readonly account: Account;
  readonly characters: number;
  /** By the clock of the jar, such as `2026-11`. */
  readonly month: string;
  /** What is counted for the account in a month. */
  readonly allowances: readonly QuotaLimit[];
}

/** Takes the characters of a request from what its key may send in a minute and in a month. What is refused takes nothing. */
export async function takeCharacters(call: Call, characters: number): Promise<void> {
  const { jar } = call;
  const account = accountOf(call);
  const month = new Date(jar.clock.now()).toISOString().slice(0, 'yyyy-mm'.length);
  const charge = { jar, account, characters, month, allowances: allowancesOf(jar, account, month) };
  // Where too little is left of the month, that is said first, as to come back in a minute would be in vain. Otherwise the minute is
  // first: what it refuses must not be missing from the month for as much as a moment, in which others would be refused for it.
  const isUsedUp = await isMonthUsedUp(charge);
  if (isUsedUp) await takeFromMonth(charge);
  const decision = await takeFromMinute(charge);
  if (!decision.allowed) throw tooMany(charge, decision);
  if (!isUsedUp) await takeFromMonth(charge);
}

/** Without those that refuse nothing: a transaction for each of their counts would cost every request of every key. */
function allowancesOf({ limits }: Jar, { name, tier }: Account, month: string): readonly QuotaLimit[] {
  const all = tier === 'F0' ? [MONTHLY_CHARACTERS, FREE_CHARACTERS] : [MONTHLY_CHARACTERS];
  return all.filter((limit) => limits.overrides.of(limit, [name, month]).mode !== 'unlimited');
}

/** As far as one can tell without keeping everybody else from taking. */
async function isMonthUsedUp({ jar: { limits }, account, characters, month, allowances }: Charge): Promise<boolean> {
  for (const limit of allowances) {
    const scope = [account.name, month];
    const { used, maximum } = await limits.quotaStanding(limit, scope);
    if (used + characters > maximum && limits.overrides.of(limit, scope).mode === 'enforced') return true;
  }
  return false;
}

async function takeFromMonth({ jar, account: { name }, characters, month, allowances }: Charge): Promise<void> {
  if (allowances.length === 0) return;
  await jar.store.transact(async (tx) => {
    for (const limit of allowances) {
      const decision = await jar.limits.takeQuota(tx, { limit, scope: [name, month], count: characters });
      if (decision.allowed) continue;
      const { current: used, maximum } = decision;
      throw errors.AllowanceUsedUp({ name, month, used, maximum, characters });
    }
  });
}

function takeFromMinute({ jar, account: { name, tier }, characters }: Charge): Decision | Promise<Decision> {
  const rows = tier === undefined ? [CHARACTERS] : [CHARACTERS, TIER_CHARACTERS[tier]];
  const uses = rows.map((limit) => ({ limit, scope: [name], cost: characters }));
  return jar.limits.take(uses, { id: name, name });
}

function tooMany({ jar: { limits }, account: { name } }: Charge, decision: Decision): Error {
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
