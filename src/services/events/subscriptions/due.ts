import { workHandler } from '../../../kernel/work/index.ts';
import { eventSubscriptions } from '../collections.ts';
import { readTime } from '../forms/times.ts';
import type { EventsJar } from '../jar.ts';
import { removeSubscription } from './remove.ts';
import { expirationOf, fail, succeed, waitingFor } from './transitions.ts';
import { DEADLINE, EXPIRE, SETTLE, VALIDATION_MS } from './work-items.ts';

/** Puts a pending definition into force whose endpoint needs no handshake. */
export const settle = workHandler(SETTLE, async (item, jar: EventsJar) => {
  const { key, operation } = item.payload;
  await jar.store.transact(async (tx) => {
    const waiting = await waitingFor(tx, key, operation);
    await tx.complete(item);
    if (waiting) await succeed(tx, jar, waiting);
  });
});

/** Fails a pending definition that was not confirmed in time. */
export const deadline = workHandler(DEADLINE, async (item, jar: EventsJar) => {
  const { key, operation } = item.payload;
  await jar.store.transact(async (tx) => {
    const waiting = await waitingFor(tx, key, operation);
    await tx.complete(item);
    if (!waiting) return;
    const base = waiting.pending.definition.destination?.properties.endpointBaseUrl ?? '';
    const minutes = VALIDATION_MS / 60_000;
    const message = `The endpoint '${base}' was not validated within ${minutes} minutes: it did not answer the handshake correctly, and the validation address from the handshake was not called.`;
    await fail(tx, jar, waiting, message);
  });
});

export const expire = workHandler(EXPIRE, async (item, jar: EventsJar) => {
  const { key } = item.payload;
  await jar.store.transact(async (tx) => {
    const subscription = (await tx.get(eventSubscriptions, key))?.value;
    await tx.complete(item);
    const at = subscription && expirationOf(subscription);
    if (!subscription || at === undefined || readTime(at) > jar.clock.now()) return;
    await removeSubscription(tx, jar, subscription, `It expired at ${at}.`);
  });
});
