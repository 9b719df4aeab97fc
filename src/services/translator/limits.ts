import type { Limit, QuotaLimit, WindowLimit } from '../../kernel/limits/index.ts';

/** Pricing tiers of a subscription. */
export const TIERS = ['F0', 'S1', 'S2', 'S3', 'S4'] as const;
export type Tier = (typeof TIERS)[number];

const CHARACTERS_PER_HOUR: Readonly<Record<Tier, number>> = {
  F0: 2_000_000,
  S1: 40_000_000,
  S2: 40_000_000,
  S3: 120_000_000,
  S4: 200_000_000,
};

/** The hourly limit is spread over minutes: a client within the limit of a minute is within that of the hour. */
const perMinute = (tier: Tier): Pick<WindowLimit, 'kind' | 'window' | 'limit' | 'windowMs' | 'unit' | 'scope'> => ({
  kind: 'window',
  window: 'sliding',
  limit: Math.floor(CHARACTERS_PER_HOUR[tier] / 60),
  windowMs: 60_000,
  unit: 'characters',
  scope: ['key'],
});

/** For every key, whatever its tier; no limit by default. */
export const CHARACTERS: WindowLimit = {
  ...perMinute('S1'),
  name: 'translator.characters',
  title: 'Characters of any key in a minute',
  mode: 'unlimited',
};

const tierRow = (tier: Tier): WindowLimit => ({
  ...perMinute(tier),
  name: `translator.characters-${tier.toLowerCase()}`,
  title: `Characters of a key of the tier ${tier} in a minute`,
});

export const TIER_CHARACTERS: Readonly<Record<Tier, WindowLimit>> = {
  F0: tierRow('F0'),
  S1: tierRow('S1'),
  S2: tierRow('S2'),
  S3: tierRow('S3'),
  S4: tierRow('S4'),
};

const perMonth = { kind: 'quota', limit: 2_000_000, unit: 'characters', scope: ['key', 'month'] } as const;

/** For every key, whatever its tier; counted only while a limit is set. */
export const MONTHLY_CHARACTERS: QuotaLimit = {
  ...perMonth,
  name: 'translator.monthly-characters',
  title: 'Characters of any key in a calendar month',
  mode: 'unlimited',
};

/** Allowance of the free tier. */
export const FREE_CHARACTERS: QuotaLimit = {
  ...perMonth,
  name: 'translator.monthly-characters-f0',
  title: 'Characters of a key of the tier F0 in a calendar month',
};

export const TRANSLATOR_LIMITS: readonly Limit[] = [
  CHARACTERS,
  ...Object.values(TIER_CHARACTERS),
  MONTHLY_CHARACTERS,
  FREE_CHARACTERS,
];
