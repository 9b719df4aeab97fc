import { RATE_BUCKETS } from '../../../src/services/platform/limits/declared.ts';
import type { Bench, Reply } from '../../support/jars.ts';

export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** Calls with this credential, below `/api/2.0` unless the path begins with `//`, which stands for the root. */
export const by =
  (bench: Bench, token: string): Ask =>
  (method, path, body, headers) =>
    bench.call(method, path.startsWith('//') ? path.slice(1) : path.startsWith('/api/') ? path : `/api/2.0${path}`, {
      token,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });

/** Calls of somebody of the directory. */
export async function person(bench: Bench, user = 'admin'): Promise<Ask> {
  return by(bench, await bench.jar.token({ user, ttl: '3650d' }));
}

/** Machines take the minutes of the real platform, for tests that look between. */
export const REAL_TIMES = { settings: { platform: { clusterStartSeconds: 240 } } };

/** The answer's body, if its status is one of these. */
export async function good(reply: Promise<Reply>, ...statuses: readonly number[]): Promise<Reply['body']> {
  const { status, body, text } = await reply;
  if (!(statuses.length === 0 ? [200, 201, 204] : statuses).includes(status)) throw new Error(`${status}: ${text}`);
  return body;
}

export const control = (bench: Bench, method: string, path: string, body?: unknown): Promise<Reply> =>
  bench.call(method, `/_jar/${path}`, { token: bench.jar.adminKey, ...(body !== undefined && { body }) });

/** What is wrong, in short. */
export const refusal = ({ status, body }: Reply) => ({ status, code: body?.error_code, message: body?.message });

/** On a clock that stands still no bucket fills again: tests of something else than rates do without them. */
export async function withoutRates(bench: Bench): Promise<void> {
  const changes = RATE_BUCKETS.map(({ limit }) => ({ name: limit.name, mode: 'unlimited' }));
  await good(control(bench, 'PATCH', 'limits', changes));
}
