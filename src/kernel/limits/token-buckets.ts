/** Token buckets: `size` at most, filled again at `refillPerSecond`. Time comes from the caller, so that it is the jar's. */

export interface BucketRule {
  readonly size: number;
  readonly refillPerSecond: number;
}

export interface Decision {
  readonly allowed: boolean;
  /** Whole tokens left after this request. */
  readonly remaining: number;
  /** Until a token is there again; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Beyond this many, buckets that are full again are forgotten: they say the same as a new one. */
const SWEEP_AT = 50_000;

export class TokenBuckets {
  /** By scope, holder and rule rather than by one text of all three, which would have to be built and hashed for every request. */
  readonly #buckets = new Map<string, Map<string, Map<BucketRule, Bucket>>>();
  #count = 0;

  take(scope: string, holder: string, rule: BucketRule, now: number): Decision {
    const bucket = this.#buckets.get(scope)?.get(holder)?.get(rule) ?? this.#add(scope, holder, rule, now);
    const elapsed = Math.max(0, now - bucket.at) / 1000;
    bucket.tokens = Math.min(rule.size, bucket.tokens + elapsed * rule.refillPerSecond);
    bucket.at = now;
    if (bucket.tokens < 1) {
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - bucket.tokens) / rule.refillPerSecond));
      return { allowed: false, remaining: 0, retryAfterSeconds };
    }
    bucket.tokens -= 1;
    return { allowed: true, remaining: Math.floor(bucket.tokens), retryAfterSeconds: 0 };
  }

  clear(): void {
    this.#buckets.clear();
    this.#count = 0;
  }

  #add(scope: string, holder: string, rule: BucketRule, now: number): Bucket {
    if (this.#count >= SWEEP_AT) this.#sweep(now);
    const holders = entry(this.#buckets, scope, () => new Map<string, Map<BucketRule, Bucket>>());
    const rules = entry(holders, holder, () => new Map<BucketRule, Bucket>());
    const bucket = { tokens: rule.size, at: now };
    rules.set(rule, bucket);
    this.#count++;
    return bucket;
  }

  #sweep(now: number): void {
    for (const [scope, holders] of this.#buckets) {
      for (const [holder, rules] of holders) {
        for (const [rule, bucket] of rules) {
          if (now - bucket.at <= (rule.size / rule.refillPerSecond) * 1000) continue;
          rules.delete(rule);
          this.#count--;
        }
        if (rules.size === 0) holders.delete(holder);
      }
      if (holders.size === 0) this.#buckets.delete(scope);
    }
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
