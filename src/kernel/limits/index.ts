import type { JarClock } from '../clock/types.ts';
import type { Config } from '../config/config.ts';
import type { Collection, Store } from '../store/types.ts';
import type { Health } from '../telemetry/health.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { LimitEngine } from './engine.ts';
import { limitOverrides } from './overrides.ts';
import { quotaCounts } from './quota-count.ts';
import type { ServiceLimits } from './table.ts';

export { checkChanges, checkScope, findLimit, LimitChangeSchema, MODES } from './changes.ts';
export type { Client } from './early-retries.ts';
export type { BoundDecision, LimitEngine as Limits } from './engine.ts';
export { limitErrors } from './errors.ts';
export type { LimitChange } from './overrides.ts';
export { dropCounts, type QuotaDecision, type QuotaRequest } from './quotas.ts';
export { type Decision, type Reading, shareOf, type Use } from './rates.ts';
export { namedScope, scopeValue } from './scope.ts';
export { sourceOf } from './source-of.ts';
export { limitStep, retryHeaders } from './step.ts';
export {
  type BoundLimit,
  type BucketLimit,
  bucketOf,
  type ConcurrencyLimit,
  type DeclaredLimit,
  type Limit,
  numbersOf,
  type QuotaLimit,
  type RateLimit,
  type ServiceLimits,
  type WindowLimit,
} from './table.ts';

export { admitAttempt, type CountingJar, type CredentialRefusal, countWrongCredential } from './wrong-credentials.ts';

export interface LimitsOptions {
  readonly config: Config;
  readonly store: Store;
  readonly clock: JarClock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Shared by all nodes of a jar, and unique among jars: separates the counts of jars that share a Redis. */
  readonly jarId: string;
  readonly tables: readonly ServiceLimits[];
}

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const limitCollections: readonly Collection<any>[] = [limitOverrides, quotaCounts];

export async function openLimits({ config, jarId, health, ...options }: LimitsOptions): Promise<LimitEngine> {
  const url = config.redisUrl;
  if (url === undefined) return LimitEngine.open(options);
  const { openRedisRates } = await import('./redis-rates.ts');
  const { clock, log, metrics } = options;
  const { redisFailure: failure, redisTimeoutMs: timeoutMs } = config;
  const redis = { url, jarId, clock, log, metrics, health, failure, timeoutMs };
  return LimitEngine.open({ ...options, rates: (rules) => openRedisRates({ ...redis, rules }) });
}
