import type { Jar } from '../../../kernel/service/index.ts';
import { pagesOf, readAll, type Stored, type Tx } from '../../../kernel/store/index.ts';
import type { Subscription } from '../webhooks/collection.ts';
import { outboxes, pendingEntries, type Sending, sendings } from './collections.ts';
import { amendEnds } from './window-ends.ts';

/** A subscription that ends takes everything with it that it was still to be told. */
export async function forgetNotifications(
  tx: Tx,
  jar: Pick<Jar, 'delivery'>,
  { key, value }: Pick<Stored<Subscription>, 'key' | 'value'>,
): Promise<void> {
  await forgetPending(tx, key);
  await leaveSendings(tx, jar, value.tenantId, new Set([value.subscriptionId]));
}

async function forgetPending(tx: Tx, key: string): Promise<void> {
  const outbox = await tx.get(outboxes, key, 'none');
  if (!outbox) return;
  await tx.lock(`business.window/${outbox.value.window}`);
  for await (const page of pagesOf(tx, pendingEntries, { prefix: `${key}/` })) {
    for (const entry of page) await tx.delete(pendingEntries, entry.key);
  }
  await tx.delete(outboxes, key);
}

/** The entries of these subscriptions are left out of notifications that are on their way; one that has no others is taken back. */
export async function leaveSendings(
  tx: Tx,
  jar: Pick<Jar, 'delivery'>,
  tenantId: string,
  gone: ReadonlySet<string>,
): Promise<void> {
  for (const sending of await sendingsFor(tx, tenantId, gone)) await leaveSending(tx, jar, sending, gone);
}

export async function leaveSending(
  tx: Tx,
  jar: Pick<Jar, 'delivery'>,
  { key, value }: Stored<Sending>,
  gone: ReadonlySet<string>,
): Promise<void> {
  const others = value.subscriptions.filter((id) => !gone.has(id));
  const left = value.subscriptions.filter((id) => gone.has(id));
  await amendEnds(tx, value.window, left, (end) => ({ ...end, isTakenBack: true }));
  if (others.length > 0) {
    await tx.put(sendings, key, { ...value, subscriptions: others });
    return;
  }
  await tx.delete(sendings, key);
  await jar.delivery.cancel(tx, { id: value.delivery }, 'the subscriptions that it was for are gone');
}

/** The notifications that are on their way to any of these, in their order. */
export async function sendingsFor(tx: Tx, tenantId: string, ids: ReadonlySet<string>): Promise<Stored<Sending>[]> {
  const all = await readAll(tx, sendings, { prefix: `${tenantId}/` });
  return all.filter(({ value }) => value.subscriptions.some((id) => ids.has(id)));
}
