import type { Caller } from '../../../kernel/auth/index.ts';
import { deliveries, shortened } from '../../../kernel/delivery/index.ts';
import { allOf, eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import type { MailJar } from '../jar.ts';
import { NOTIFICATION } from './names.ts';
import type { Subscription } from './types.ts';

/** A subscription is authorized until the token expires that was last used for it. */
export const authorizationOf = (
  { expiresAt }: Caller,
  now: number,
): Pick<Subscription, 'authorizedAt' | 'authorizedUntil'> => ({ authorizedAt: now, authorizedUntil: expiresAt });

/** Releases the notifications that wait for the subscription to be authorized again. */
export async function releaseHeld(
  tx: Tx,
  jar: MailJar,
  { id, hasLifecycle, authorizedUntil }: Subscription,
): Promise<void> {
  const now = jar.clock.now();
  if (!hasLifecycle || authorizedUntil > now) return;
  const filter = allOf(eq('ownerLine', shortened(id)), eq('state', 'queued'));
  for (const stored of await readAll(tx, deliveries, { filter })) {
    const { policy, attempts, dueAt } = stored.value;
    if (policy === NOTIFICATION && attempts === 0 && dueAt > now) await jar.delivery.replay(tx, stored);
  }
}
