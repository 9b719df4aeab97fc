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
  /** By the clock of the jar, for example `2026-11`. */
  readonly month: string;
  /** Monthly limits of the account. */
  readonly allowances: readonly QuotaLimit[];
}

/** Counts the characters of a request against the limits of its key per minute and per month. A refused request counts nothing. */
export async function takeCharacters(call: Call, characters: number): Promise<void> {
  const { jar } = call;
  const account = accountOf(call);
  const month = new Date(jar.clock.now()).toISOString().slice(0, 'yyyy-mm'.length);
  const charge = { jar, account, characters, month, allowances: allowancesOf(jar, account, month) };
  // If the month's rest is too small, that error takes precedence, because a retry in a minute would fail too. Otherwise the minute is
  // checked first: characters that the minute refuses must not be missing from the month even briefly, or other requests would be refused
  // for them.
  const isUsedUp = await isMonthUsedUp(charge);
  if (isUsedUp) await takeFromMonth(charge);
  const decision = await takeFromMinute(charge);
  if (!decision.allowed) throw tooMany(charge, decision);
  if (!isUsedUp) await takeFromMonth(charge);
}

/** Leaves out limits that are not set: counting them would cost every request a transaction. */
function allowancesOf({ limits }: Jar, { name, tier }: Account, month: string): readonly QuotaLimit[] {
  const all = tier === 'F0' ? [MONTHLY_CHARACTERS, FREE_CHARACTERS] : [MONTHLY_CHARACTERS];
  return all.filter((limit) => limits.overrides.of(limit, [name, month]).mode !== 'unlimited');
}

/** A check without a lock, so that other requests are not blocked. */
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
  const { refusedBy, retryAfterSeconds, exceedsMaximum } = decision;
  const { maximum, windowMs } = limits.overrides.of(refusedBy as WindowLimit, [name]);
  // A text longer than the limit can never succeed: as in the real service, the client still gets a short Retry-After; the message says
  // that retrying is in vain.
  const seconds = exceedsMaximum ? Math.ceil(windowMs / 1000) : retryAfterSeconds;
  const advice = exceedsMaximum ? 'a request of this length always exceeds it' : `try again in ${seconds} s`;
  return errors.TooManyCharacters(
    { name, maximum, window: formatDuration(windowMs), advice },
    { headers: retryHeaders({ retryAfterSeconds: seconds }) },
  );
}
