import { afterAll, type TestContext } from 'vitest';
import { type RedisServer, startRedis } from './redis.ts';

let shared: Promise<RedisServer> | undefined;

/** The server of a test file, started by the first test that needs it; a test is skipped if none is available. */
export async function useRedis(context: Pick<TestContext, 'skip'>): Promise<RedisServer> {
  shared ??= startRedis();
  return shared.catch((error: Error) => context.skip(error.message));
}

/** Must be called once by a file that uses `useRedis`. */
export function stopRedisAfterwards(): void {
  afterAll(async () => {
    await (await shared?.catch(() => undefined))?.stop();
    shared = undefined;
  });
}
