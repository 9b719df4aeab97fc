import { readAll, type Tx } from '../../../kernel/store/index.ts';
import type { Subscription } from '../webhooks/collection.ts';
import { type Hold, type Outbox, outboxes, type Part, type PendingEntry, pendingEntries } from './collections.ts';
import type { PageChange } from './page-changes.ts';

export type PartName = 'ready' | Hold;

const PARTS: readonly PartName[] = ['ready', 'delegated', 'jobs'];
const SEQUENCE_DIGITS = 12;

/** The outbox of one subscription while a transaction changes it. The transaction holds the lock on its window. */
export class OutboxDraft {
  readonly key: string;
  readonly #tx: Tx;
  #outbox: Outbox;
  #changed = false;

  private constructor(tx: Tx, key: string, outbox: Outbox) {
    this.#tx = tx;
    this.key = key;
    this.#outbox = outbox;
  }

  static async load(tx: Tx, key: string): Promise<OutboxDraft | undefined> {
    const stored = await tx.get(outboxes, key);
    return stored && new OutboxDraft(tx, key, stored.value);
  }

  static empty(tx: Tx, key: string, subscription: Subscription): OutboxDraft {
    const { tenantId, subscriptionId, resource, shownUrl, address: window, target, retargeted } = subscription;
    const named = { tenantId, subscriptionId, resource, target, shownUrl, ...(retargeted && { retargeted }) };
    return new OutboxDraft(tx, key, { ...named, window, sequence: 0 });
  }

  get value(): Outbox {
    return this.#outbox;
  }

  part(name: PartName): Part | undefined {
    return this.#outbox[name];
  }

  /** Number of stored entries of all parts. */
  get stored(): number {
    return storedIn(this.#outbox);
  }

  /** The address of a subscription without ready entries may have changed meanwhile. */
  moveTo({ address, shownUrl }: Pick<Subscription, 'address' | 'shownUrl'>): void {
    if (this.#outbox.window === address) return;
    this.#outbox = { ...this.#outbox, window: address, shownUrl };
    this.#changed = true;
  }

  /**
   * Coalesces repeated updates of one entity into one entry with the newest time, unless something else happened to the entity in between.
   * In a collection, writes only what changes it.
   */
  async add(
    name: PartName,
    id: string,
    { type, entityKey }: PageChange,
    record: string,
    at: number,
  ): Promise<'entry' | 'coalesced' | 'collection'> {
    const part = this.#outbox[name] ?? { id, ...NOTHING, firstAt: at, lastAt: at };
    const hasDelete = part.hasDelete || type === 'deleted';
    // A change with an earlier time may be added later.
    const firstAt = Math.min(part.firstAt, at);
    if (part.isCollection) {
      if (hasDelete !== part.hasDelete || firstAt !== part.firstAt) this.#set(name, { ...part, hasDelete, firstAt });
      return 'collection';
    }
    const sequence = this.#outbox.sequence + 1;
    this.#outbox = { ...this.#outbox, sequence };
    const entry: PendingEntry = { type, entityKey, record, at, sequence };
    const isKnown = await this.#putEntry(name, entry);
    const lastAt = Math.max(part.lastAt, at);
    this.#set(name, { ...part, hasDelete, firstAt, lastAt, count: part.count + (isKnown ? 0 : 1) });
    return isKnown ? 'coalesced' : 'entry';
  }

  /** Returns whether it joined an existing entry. */
  async #putEntry(name: PartName, entry: PendingEntry): Promise<boolean> {
    const place = this.#updateKey(name, entry.entityKey);
    const update = (await this.#tx.get(pendingEntries, place, 'none'))?.value;
    if (entry.type !== 'updated') {
      // A later update is another entry, so the earlier one moves to a key that later updates do not find.
      if (update) {
        await this.#tx.delete(pendingEntries, place);
        await this.#tx.put(pendingEntries, this.#placeOf(name, update), update);
      }
      await this.#tx.put(pendingEntries, this.#placeOf(name, entry), entry);
      return false;
    }
    await this.#tx.put(pendingEntries, place, entry);
    return update !== undefined;
  }

  /** Replaces all entries by a collection entry. */
  async gather(name: PartName): Promise<void> {
    const part = this.#outbox[name];
    if (!part || part.isCollection) return;
    await this.#takeEntries(name);
    this.#set(name, { ...part, isCollection: true });
  }

  /** Moves a held part into the window. */
  async release(hold: Hold, window: string): Promise<void> {
    const held = this.#outbox[hold];
    if (!held) return;
    const ready = this.#outbox.ready ?? { ...held, ...NOTHING, id: window };
    // If one of the two parts is a collection, the result is.
    const isCollection = held.isCollection || ready.isCollection;
    const entries = [...(await this.#takeEntries(hold)), ...(await this.#takeEntries('ready'))];
    const count = isCollection ? ready.count + held.count : await this.#putReady(entries);
    this.#set(hold, undefined);
    this.#set('ready', {
      id: ready.id,
      count,
      firstAt: Math.min(ready.firstAt, held.firstAt),
      lastAt: Math.max(ready.lastAt, held.lastAt),
      hasDelete: ready.hasDelete || held.hasDelete,
      isCollection,
    });
  }

  /** In order of arrival, as if none had been held. Returns the number of entries after coalescing. */
  async #putReady(entries: PendingEntry[]): Promise<number> {
    let count = 0;
    for (const entry of entries.sort(bySequence)) if (!(await this.#putEntry('ready', entry))) count += 1;
    return count;
  }

  /** Removes a part and returns its entries in order. */
  async take(name: PartName): Promise<readonly PendingEntry[]> {
    const entries = await this.#takeEntries(name);
    this.#set(name, undefined);
    return entries.sort(bySequence);
  }

  async save(): Promise<void> {
    if (!this.#changed) return;
    this.#changed = false;
    if (PARTS.some((name) => this.#outbox[name])) await this.#tx.put(outboxes, this.key, this.#outbox);
    else await this.#tx.delete(outboxes, this.key);
  }

  #set(name: PartName, part: Part | undefined): void {
    const { [name]: _before, ...others } = this.#outbox;
    this.#outbox = part ? { ...others, [name]: part } : others;
    this.#changed = true;
  }

  /** Key of an update that later updates of the entity join. */
  #updateKey(name: PartName, entityKey: string): string {
    return `${this.key}/${name}/of ${entityKey}`;
  }

  #placeOf(name: PartName, { sequence }: PendingEntry): string {
    return `${this.key}/${name}/${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`;
  }

  async #takeEntries(name: PartName): Promise<PendingEntry[]> {
    const part = this.#outbox[name];
    if (!part || part.isCollection) return [];
    const entries = await readAll(this.#tx, pendingEntries, { prefix: `${this.key}/${name}/` });
    for (const { key } of entries) await this.#tx.delete(pendingEntries, key);
    return entries.map(({ value }) => value);
  }
}

const bySequence = (one: PendingEntry, other: PendingEntry): number => one.sequence - other.sequence;

const NOTHING = { count: 0, hasDelete: false, isCollection: false };

/** Number of stored entries of an outbox. */
export const storedIn = (outbox: Outbox): number =>
  PARTS.reduce((sum, name) => sum + (outbox[name]?.isCollection === false ? outbox[name].count : 0), 0);

/** Number of entries that sending the part produces. */
export const entriesOf = (part: Part | undefined): number => (part?.isCollection ? 1 : (part?.count ?? 0));
