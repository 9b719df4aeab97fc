import { eq, readAll, type Stored, type Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import type { BusinessJar } from '../jar.ts';
import { records } from '../records/collection.ts';
import type { Settings } from '../settings.ts';
import { type Subscription, subscriptions } from '../webhooks/collection.ts';
import { whyNotNotifiable } from '../webhooks/notifiable.ts';
import { removeSubscription } from '../webhooks/remove.ts';
import { type SubscriptionSecrets, UNREADABLE } from '../webhooks/secrets.ts';
import {
  type Outbox,
  outboxes,
  type Part,
  type PendingEntry,
  type QueuedEntry,
  type SubscriptionEnd,
  windowEnds,
  windows,
} from './collections.ts';
import { collectionEntry, singleEntry } from './entries.ts';
import { entriesOf, OutboxDraft } from './outbox-draft.ts';
import { lockAddress, notifyAddress } from './send.ts';
import { thresholdFor } from './thresholds.ts';
import { FLOW_AND_COLLECTION } from './window-ends.ts';
import { NOTIFY, notifyItem } from './work.ts';

/**
 * An update is left out if the record's own modification time is older than the change by more than this: the record was not really
 * modified.
 */
const UNMODIFIED_MS = 2000;

/** Closes a window: its pending entries leave the outboxes and become one notification, in one transaction. */
export const closeWindow = workHandler(NOTIFY, async (item, jar: BusinessJar) => {
  const { window: key, id } = item.payload;
  await jar.store.transact(async (tx) => {
    await lockAddress(tx, key);
    const window = await tx.get(windows, key);
    await tx.complete(item);
    if (window?.value.id !== id) return;
    await tx.delete(windows, key);
    await new Closing(tx, jar, await jar.settings.within(tx)).run(key, id);
  });
});

/** Closes the open window of an address early, because a run to that address is due anyway. */
export async function closeOpenWindow(tx: Tx, jar: BusinessJar, settings: Settings, key: string): Promise<void> {
  const window = await tx.get(windows, key);
  if (!window) return;
  const { id } = window.value;
  await tx.delete(windows, key);
  await tx.cancel(notifyItem(id));
  await new Closing(tx, jar, settings).run(key, id);
}

/** Entries that go to one address. */
interface Batch {
  readonly tenantId: string;
  readonly address: string;
  readonly url: string;
  readonly companyId: string;
  readonly companyName: string;
  readonly sets: Set<string>;
  readonly entries: QueuedEntry[];
  readonly subscriptions: string[];
}

type Told = Subscription & Pick<SubscriptionSecrets, 'notificationUrl'>;

class Closing {
  readonly #tx: Tx;
  readonly #jar: BusinessJar;
  readonly #settings: Settings;
  readonly #ends = new Map<string, SubscriptionEnd>();
  /** By address: the address of a subscription may have changed since the window was opened. */
  readonly #batches = new Map<string, Batch>();

  constructor(tx: Tx, jar: BusinessJar, settings: Settings) {
    this.#tx = tx;
    this.#jar = jar;
    this.#settings = settings;
  }

  async run(key: string, id: string): Promise<void> {
    const all = await this.#outboxesOf(key);
    const together = all.reduce((sum, { value }) => sum + entriesOf(value.ready), 0);
    for (const outbox of all) await this.#empty(outbox, together);
    for (const batch of this.#batches.values()) await this.#send(batch, id);
    if (this.#jar.traces.kept === 0) return;
    const at = this.#jar.clock.now();
    await this.#tx.put(windowEnds, id, { is: 'closed', at, subscriptions: Object.fromEntries(this.#ends) });
  }

  async #send(batch: Batch, window: string): Promise<void> {
    const { tenantId, address, url, companyId, companyName, sets, entries } = batch;
    await lockAddress(this.#tx, address);
    const queued = await notifyAddress(this.#tx, this.#jar, this.#settings, {
      tenantId,
      place: { address, companyId },
      url,
      subject: `${companyName}: ${[...sets].join(', ')}`,
      windows: [{ window, entries }],
    });
    for (const each of batch.subscriptions) this.#end(each, queued);
  }

  #outboxesOf(window: string): Promise<Stored<Outbox>[]> {
    return readAll(this.#tx, outboxes, { filter: eq('window', window) });
  }

  /** `together` is the number of entries of all outboxes that go to the address. */
  async #empty({ key, value }: Stored<Outbox>, together: number): Promise<void> {
    const draft = value.ready && (await OutboxDraft.load(this.#tx, key));
    if (!draft?.part('ready')) return;
    const subscription = await this.#tx.get(subscriptions, key);
    const removed = subscription ? await this.#removeIfOver(subscription) : 'the subscription was removed';
    if (removed !== undefined) {
      this.#end(value.subscriptionId, { left: removed });
      if (subscription) return;
    }
    // The threshold may have changed since the entries were last counted.
    const { most, perAddress } = thresholdFor(this.#settings, value.target);
    if ((perAddress ? together : (draft.part('ready')?.count ?? 0)) > most) await draft.gather('ready');
    const ready = draft.part('ready') as Part;
    const pending = await draft.take('ready');
    await draft.save();
    if (!subscription) return;
    const { subscriptionId, retargeted } = value;
    if (retargeted) this.#end(subscriptionId, { retargeted });
    const secrets = this.#jar.secrets.readable(subscription.value);
    if (secrets) await this.#tell({ ...subscription.value, ...secrets }, ready, pending);
    else this.#end(subscriptionId, { left: `the subscription ${UNREADABLE}` });
  }

  #end(subscriptionId: string, more: Partial<SubscriptionEnd>): void {
    this.#ends.set(subscriptionId, { entries: 0, ...this.#ends.get(subscriptionId), ...more });
  }

  /** Removes a subscription that has expired, or whose entity is missing or no longer notifiable. Returns the reason if it was removed. */
  async #removeIfOver(stored: Stored<Subscription>): Promise<string | undefined> {
    const at = this.#jar.clock.now();
    const { expiresAt, target } = stored.value;
    if (expiresAt <= at) {
      const detail = `It was not renewed before ${new Date(expiresAt).toISOString()}.`;
      await removeSubscription(this.#tx, this.#jar, stored, { reason: 'expired', detail, at });
      return 'the subscription had expired';
    }
    const api = this.#jar.model.api(target.route);
    const page = api && this.#jar.model.page(api, target.set);
    const why =
      page && page.table === target.table ? whyNotNotifiable(this.#jar.model, api, page) : 'it no longer exists';
    if (why === undefined) return undefined;
    const detail = `There are no notifications for '${target.route}/${target.set}': ${why}.`;
    await removeSubscription(this.#tx, this.#jar, stored, { reason: 'obsolete', detail, at });
    return `the subscription was obsolete: ${why}`;
  }

  async #tell(subscription: Told, ready: Part, pending: readonly PendingEntry[]): Promise<void> {
    const { subscriptionId, flow } = subscription;
    if (ready.isCollection && flow) {
      this.#end(subscriptionId, { entries: ready.count, isCollection: true, left: FLOW_AND_COLLECTION });
      return;
    }
    if (ready.isCollection) {
      const entry = collectionEntry(subscription, ready, await this.#newest(subscription, ready));
      this.#end(subscriptionId, { entries: ready.count, isCollection: true });
      this.#add(subscription, [entry]);
      return;
    }
    const unchanged: string[] = [];
    const entries: QueuedEntry[] = [];
    for (const entry of pending) {
      if (await this.#isUnmodified(entry)) unchanged.push(entry.record);
      else entries.push(singleEntry(subscription, entry));
    }
    this.#end(subscriptionId, { entries: entries.length, ...(unchanged.length > 0 && { unchanged }) });
    if (entries.length > 0) this.#add(subscription, entries);
  }

  #add(subscription: Told, entries: readonly QueuedEntry[]): void {
    const { address, notificationUrl: url, tenantId, subscriptionId, target } = subscription;
    let batch = this.#batches.get(address);
    if (!batch) {
      const { companyId, companyName } = target;
      batch = { tenantId, address, url, companyId, companyName, sets: new Set(), entries: [], subscriptions: [] };
      this.#batches.set(address, batch);
    }
    batch.entries.push(...entries);
    batch.sets.add(target.set);
    batch.subscriptions.push(subscriptionId);
  }

  async #isUnmodified({ type, record, at }: PendingEntry): Promise<boolean> {
    if (type !== 'updated') return false;
    const stored = await this.#tx.get(records, record, 'none');
    return stored !== undefined && stored.value.modifiedAt < at - UNMODIFIED_MS;
  }

  /** The time of the newest change, from the records: `lastAt` is not updated once the part is a collection. */
  async #newest({ target }: Subscription, { lastAt }: Part): Promise<number> {
    const { items } = await this.#tx.query(records, {
      filter: { op: 'eq', field: 'list', value: `${target.companyKey}/${target.table}` },
      order: [{ field: 'modified', descending: true }],
      limit: 1,
    });
    return Math.max(lastAt, items[0]?.value.modifiedAt ?? 0);
  }
}
