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
  readonly #buckets = new Map<string, Bucket>();

  take(key: string, rule: BucketRule, now: number): Decision {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= SWEEP_AT) this.#sweep(now, rule);
      bucket = { tokens: rule.size, at: now };
      this.#buckets.set(key, bucket);
    }
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
  }

  #sweep(now: number, rule: BucketRule): void {
    const fullAfter = (rule.size / rule.refillPerSecond) * 1000;
    for (const [key, bucket] of this.#buckets) if (now - bucket.at > fullAfter) this.#buckets.delete(key);
  }
}
