import type { ApiError } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Store, Tx } from '../../../kernel/store/index.ts';
import { defineWork, workHandler } from '../../../kernel/work/index.ts';
import { departed } from '../collections.ts';
import { containerErrors } from '../errors.ts';

/** For this long after a deletion the provider itself answers 404 for the group; later the gateway does. */
const REMEMBERED_MS = 5 * 60_000;

export const FORGET_DEPARTED = defineWork<{ readonly key: string }>('containers.forget-departed', {
  title: 'Forgets a deleted container group',
  subject: 'key',
});

export async function rememberDeletedGroup(tx: Tx, jar: Pick<Jar, 'clock'>, key: string): Promise<void> {
  const until = jar.clock.now() + REMEMBERED_MS;
  await tx.put(departed, key, { until });
  await tx.schedule(FORGET_DEPARTED.at(until, { key }, workId(key)));
}

/** Called when a group of the same name is created again. */
export async function forgetDeletedGroup(tx: Tx, key: string): Promise<void> {
  if (await tx.delete(departed, key)) await tx.cancel(workId(key));
}

export const forgetDeletedGroupLater = workHandler(FORGET_DEPARTED, (item, { store }: Jar) =>
  store.transact(async (tx) => {
    await tx.delete(departed, item.payload.key);
    await tx.complete(item);
  }),
);

/** The provider's own 404 for a recently deleted group; undefined if the gateway must answer. */
export async function recentlyDeletedError(
  reader: Pick<Store, 'get'>,
  key: string,
  name: string,
): Promise<ApiError | undefined> {
  const known = await reader.get(departed, key);
  return known && containerErrors.ContainerGroupNotFound({ name });
}

const workId = (key: string): string => `containers.departed:${key}`;
