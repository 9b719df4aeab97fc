import type { Bench, Reply } from '../../support/jars.ts';

export const MY = '/v1.0/myorg';

export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** Calls of somebody, below `/v1.0/myorg` unless the path begins with `/`. */
export async function person(bench: Bench, user = 'admin', scope?: string): Promise<Ask> {
  const token = await bench.jar.token({ user, ttl: '365d', ...(scope !== undefined && { scope }) });
  return (method, path, body, headers) =>
    bench.call(method, path.startsWith('/') ? path : `${MY}/${path}`, {
      token,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });
}

/** The answer's body, if its status is one of these. */
export async function good(reply: Promise<Reply>, ...statuses: readonly number[]): Promise<Reply['body']> {
  const { status, body, text } = await reply;
  if (!(statuses.length === 0 ? [200, 201, 202] : statuses).includes(status)) throw new Error(`${status}: ${text}`);
  return body;
}

export const control = (bench: Bench, method: string, path: string, body?: unknown): Promise<Reply> =>
  bench.call(method, `/_jar/${path}`, { token: bench.jar.adminKey, ...(body !== undefined && { body }) });
