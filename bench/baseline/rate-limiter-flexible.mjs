// The limiters of rate-limiter-flexible: one decision each, in memory and in Redis with the given client.
import rateLimiter from 'rate-limiter-flexible';

const { RateLimiterMemory, RateLimiterRedis } = rateLimiter;
/** More than a run consumes, so that every decision allows: a refusal rejects its promise, which costs more. */
const options = { points: 1_000_000_000, duration: 3600, keyPrefix: 'bench' };

export const openMemoryLimiter = () => new RateLimiterMemory(options);

/** @param {unknown} storeClient of @redis/client, connected */
export const openRedisLimiter = (storeClient) =>
  new RateLimiterRedis({ ...options, storeClient, useRedisPackage: true });
