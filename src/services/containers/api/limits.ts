import { armFacts } from '../../../kernel/arm/index.ts';
import {
  type Limit,
  limitStep,
  type QuotaLimit,
  type RateLimit,
  type WindowLimit,
} from '../../../kernel/limits/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { HOUR_MS } from '../../../kernel/time/index.ts';
import { containerErrors } from '../errors.ts';

/** The regional quotas, by the name that the service reports. */
export type QuotaName =
  | 'ContainerGroups'
  | 'StandardCores'
  | 'StandardSpotCores'
  | 'StandardK80Cores'
  | 'StandardP100Cores'
  | 'StandardV100Cores'
  | 'DedicatedContainerGroups'
  | 'DedicatedCores'
  | 'ConfidentialContainerGroups'
  | 'ConfidentialCores';

interface QuotaRow {
  readonly limit: QuotaLimit;
  readonly title: string;
}

function quota(name: string, title: string, unit: 'groups' | 'cores', limit: number): QuotaRow {
  const row = { kind: 'quota', name: `containers.${name}`, scope: ['subscription', 'location'], unit, limit } as const;
  return { limit: { ...row, title: `${title} in a region` }, title };
}

/** In the order in which the service lists them. V100 quota must be requested, so its limit is 0. */
export const QUOTAS: Readonly<Record<QuotaName, QuotaRow>> = {
  ContainerGroups: quota('groups', 'Container Groups', 'groups', 100),
  StandardCores: quota('standard-cores', 'Standard Cores', 'cores', 100),
  StandardSpotCores: quota('spot-cores', 'Standard Spot Cores', 'cores', 10),
  StandardK80Cores: quota('k80-cores', 'Standard K80 Cores', 'cores', 100),
  StandardP100Cores: quota('p100-cores', 'Standard P100 Cores', 'cores', 100),
  StandardV100Cores: quota('v100-cores', 'Standard V100 Cores', 'cores', 0),
  DedicatedContainerGroups: quota('dedicated-groups', 'Dedicated Container Groups', 'groups', 100),
  DedicatedCores: quota('dedicated-cores', 'Dedicated Cores', 'cores', 100),
  ConfidentialContainerGroups: quota('confidential-groups', 'Confidential Container Groups', 'groups', 100),
  ConfidentialCores: quota('confidential-cores', 'Confidential Cores', 'cores', 100),
};

export const QUOTA_NAMES = Object.keys(QUOTAS) as readonly QuotaName[];

const FIVE_MINUTES_MS = 300_000;

function windows(what: 'creates' | 'deletes'): { readonly short: WindowLimit; readonly long: WindowLimit } {
  const common = { kind: 'window', window: 'fixed', scope: ['subscription'], incidental: true } as const;
  const title = `Container group ${what}`;
  return {
    short: {
      ...common,
      name: `containers.${what}-per-5-minutes`,
      title: `${title} in five minutes`,
      limit: 100,
      windowMs: FIVE_MINUTES_MS,
    },
    long: {
      ...common,
      name: `containers.${what}-per-hour`,
      title: `${title} in an hour`,
      limit: 300,
      windowMs: HOUR_MS,
    },
  };
}

const CREATES = windows('creates');
const DELETES = windows('deletes');

export const CONTAINER_LIMITS: readonly Limit[] = [
  ...QUOTA_NAMES.map((name) => QUOTAS[name].limit),
  ...Object.values(CREATES),
  ...Object.values(DELETES),
];

const COUNTER = 'x-ms-ratelimit-remaining-subscription-resource-requests';

function throttle({ short, long }: ReturnType<typeof windows>, operation: string) {
  const limits: readonly RateLimit[] = [short, long];
  return limitStep<Call>({
    limits: () => limits,
    scopes: { subscription: (call) => subscriptionOf(call).toLowerCase() },
    remaining: new Map<RateLimit, string>([
      [short, `${COUNTER}-pt5m`],
      [long, `${COUNTER}-pt1h`],
    ]),
    refuse: ({ retryAfterSeconds: seconds }, call) =>
      containerErrors.ResourceRequestsThrottled({ operation, subscription: subscriptionOf(call), seconds }),
  });
}

const subscriptionOf = (call: Call): string => armFacts(call).subscription?.subscriptionId ?? '';

export const throttleCreates = throttle(CREATES, 'create');
export const throttleDeletes = throttle(DELETES, 'delete');
