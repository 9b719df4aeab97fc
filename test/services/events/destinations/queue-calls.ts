import type { TestContext } from 'vitest';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { BUS, messageTo, type OpenedJar, openedJar } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Answer = { status: number; body: any };

export async function control({ running }: OpenedJar, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path.startsWith('http') ? path : `${running.url}/_jar/events${path}`, {
    method,
    headers: {
      authorization: `Bearer ${running.adminKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

export const toQueue = (name: string, deliveryId?: string) =>
  messageTo('ServiceBusQueue', { resourceId: `${BUS}/queues/${name}` }, deliveryId === undefined ? {} : { deliveryId });

export const queueNamed = async (opened: OpenedJar, name: string): Promise<string> =>
  (await control(opened, 'GET', '/queues')).body.value.find((each: { name: string }) => each.name === name).id;

/** One jar for one test. */
export async function withJar(
  engine: 'sqlite' | 'postgres',
  context: Pick<TestContext, 'skip'>,
  test: (opened: OpenedJar) => Promise<void>,
): Promise<void> {
  const databaseUrl = engine === 'postgres' ? await usePostgresDatabase(context, 'queues') : undefined;
  const opened = await openedJar(databaseUrl === undefined ? {} : { databaseUrl });
  try {
    await test(opened);
  } finally {
    await opened.running.close();
  }
}
