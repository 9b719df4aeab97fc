import { type DueDelivery, deliveries, type Prepared } from '../../../kernel/delivery/index.ts';
import type { Stored, Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import type { Settings } from '../settings.ts';
import { subscriptionKey, subscriptions } from '../webhooks/collection.ts';
import { removeSubscription } from '../webhooks/remove.ts';
import { closeOpenWindow } from './close-window.ts';
import { type QueuedEntry, type Run, type Sending, sendings } from './collections.ts';
import { undeliverable } from './endings.ts';
import { mergePending } from './merge-pending.ts';
import { entriesIn } from './queued-body.ts';
import { dropSending, lockAddress } from './send.ts';

/**
 * Prepares a run after a failure: the message with everything that is pending for its address, including the open window. Subscriptions
 * whose entries have exceeded the retry window are removed.
 */
export async function prepareNotification(
  tx: Tx,
  delivery: DueDelivery,
  jar: BusinessJar,
): Promise<Prepared | undefined> {
  const key = `${delivery.owner}/${delivery.id}`;
  const place = (await tx.get(sendings, key, 'none'))?.value.place;
  if (!place) return undefined;
  await lockAddress(tx, place.address);
  const settings = await jar.settings.within(tx);
  const sending = await tx.get(sendings, key);
  if (!sending) return undefined;
  await removeOverdue(tx, jar, delivery, sending);
  await closeOpenWindow(tx, jar, settings, place.address);
  return new Preparation(tx, jar, settings, delivery).run(key);
}

/** Also removes subscriptions whose retry window is over while later entries extend that of the message. */
async function removeOverdue(
  tx: Tx,
  jar: BusinessJar,
  delivery: DueDelivery,
  { value }: Stored<Sending>,
): Promise<void> {
  const at = jar.clock.now();
  const overdue = new Set((value.runs ?? []).filter(({ until }) => until <= at).map(({ number }) => number));
  if (overdue.size === 0) return;
  const late = currentEntries(delivery, value).filter(({ run = 0 }) => overdue.has(run));
  const history = (await tx.get(deliveries, delivery.id, 'none'))?.value.history ?? [];
  const detail = undeliverable(delivery.id, history.at(-1));
  for (const id of new Set(late.map(({ subscriptionId }) => subscriptionId))) {
    const stored = await tx.get(subscriptions, subscriptionKey(delivery.owner ?? '', id));
    if (stored) await removeSubscription(tx, jar, stored, { reason: 'undeliverable', detail, at });
  }
}

/** Entries of the stored message that are still to be sent. */
function currentEntries({ body }: DueDelivery, { subscriptions: told, gone = [] }: Sending): readonly QueuedEntry[] {
  return entriesIn(body).filter(({ subscriptionId: id }) => told.includes(id) && !gone.includes(id));
}

class Preparation {
  readonly #tx: Tx;
  readonly #jar: BusinessJar;
  readonly #settings: Settings;
  readonly #delivery: DueDelivery;

  constructor(tx: Tx, jar: BusinessJar, settings: Settings, delivery: DueDelivery) {
    this.#tx = tx;
    this.#jar = jar;
    this.#settings = settings;
    this.#delivery = delivery;
  }

  async run(key: string): Promise<Prepared | undefined> {
    const sending = await this.#tx.get(sendings, key);
    if (!sending) return undefined;
    const { value } = sending;
    const { joining = [], gone = [] } = value;
    const now = this.#jar.clock.now();
    if (joining.length === 0 && gone.length === 0) {
      if (value.underWay === undefined) await this.#tx.put(sendings, key, { ...value, underWay: now });
      return undefined;
    }
    const before = value.runs ?? [];
    const next: Run = {
      number: Math.max(-1, ...before.map(({ number }) => number)) + 1,
      until: now + this.#settings.apiSubscriptionRetryWindow,
      attempts: 0,
      dueAt: now,
    };
    const joined = joining.flatMap(({ entries }) => entries.map((entry) => ({ ...entry, run: next.number })));
    const windows = [...new Set([...(value.windows ?? [value.window]), ...joining.map(({ window }) => window)])];
    const all = [...currentEntries(this.#delivery, value), ...joined];
    const merged = await mergePending(this.#tx, this.#settings, { tenantId: this.#delivery.owner ?? '', all, windows });
    const used = new Set(merged.map(({ run = 0 }) => run));
    const runs = [...before, next].filter(({ number }) => used.has(number));
    if (merged.length === 0) return this.#end(sending);
    await this.#tx.put(sendings, key, {
      ...value,
      subscriptions: [...new Set(merged.map(({ subscriptionId }) => subscriptionId))],
      windows: windows.slice(-MOST_WINDOWS),
      runs,
      joining: [],
      gone: [],
      underWay: now,
    });
    return {
      body: JSON.stringify({ value: merged }),
      expiresAt: Math.max(...runs.map(({ until }) => until)),
    };
  }

  /** No entry remains. */
  async #end(sending: Stored<Sending>): Promise<undefined> {
    await dropSending(this.#tx, sending);
    await this.#jar.delivery.cancel(this.#tx, { id: this.#delivery.id }, 'no entries remain to be sent');
    return undefined;
  }
}

/** Limit of windows per message whose recorded outcomes are corrected later: more than the delays that fit into the retry window. */
const MOST_WINDOWS = 10_000;
