import type { Jar } from '../../../src/kernel/service/jar.ts';
import type { Cell } from '../../../src/kernel/store/index.ts';
import { datasets } from '../../../src/services/datasets/collections.ts';
import type { Bench, Reply } from '../../support/jars.ts';

export const MY = '/v1.0/myorg';

export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** Calls as a user, below `/v1.0/myorg` unless the path begins with `/`. */
export async function person(bench: Bench, user = 'admin', scope?: string): Promise<Ask> {
  const token = await bench.jar.token({ user, ttl: '365d', ...(scope !== undefined && { scope }) });
  return (method, path, body, headers) =>
    bench.call(method, path.startsWith('/') ? path : `${MY}/${path}`, {
      token,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });
}

/** The body of the response; fails unless its status is one of these. */
export async function good(reply: Promise<Reply>, ...statuses: readonly number[]): Promise<Reply['body']> {
  const { status, body, text } = await reply;
  if (!(statuses.length === 0 ? [200, 201, 202] : statuses).includes(status)) throw new Error(`${status}: ${text}`);
  return body;
}

export const control = (bench: Bench, method: string, path: string, body?: unknown): Promise<Reply> =>
  bench.call(method, `/_jar/${path}`, { token: bench.jar.adminKey, ...(body !== undefined && { body }) });

/** The cells of a table, in the order in which the rows were pushed. */
export async function rowsOf({ store }: Jar, dataset: string, table: string): Promise<readonly (readonly Cell[])[]> {
  const { tables } = (await store.get(datasets, dataset))!.value;
  const { storage } = tables.find(({ name }) => name === table)!;
  return (await store.tables.rows(storage, 0, 1_000_000)).map(({ cells }) => cells);
}

/** A table with two columns, for tests that need any table. */
export const PLAIN = {
  name: 'Plain',
  columns: [
    { name: 'id', dataType: 'Int64' },
    { name: 'text', dataType: 'String' },
  ],
};

export const somewhat = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ id: from + i, text: `row ${from + i}` }));

/** The first mistake in an error. */
export const mistake = ({ status, body }: Reply) => ({ status, code: body?.error?.code, ...body?.error?.details?.[0] });
