import type { Json, Tx } from '../../../kernel/store/index.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { folders, mailboxStates } from '../collections.ts';
import { pastSeries, type Removal, removals } from '../delta/collections.ts';
import { timesOnly } from '../delta/past-series.ts';
import { keepRemovals } from '../delta/removals-work.ts';
import { errors } from '../errors.ts';
import type { Folder } from '../folders/types.ts';
import type { MailJar } from '../jar.ts';
import type { Address } from '../messages/types.ts';
import { notifyChanges } from '../notifications/intake.ts';
import type { MailboxChange } from './change.ts';
import { itemKey } from './create.ts';
import type { Mailbox, MailboxState } from './types.ts';

export type { MailboxChange };

/** A string that sorts like its number. */
const sortable = (number: number): string => String(number).padStart(NUMBER_DIGITS, '0');
const NUMBER_DIGITS = 15;

/**
 * Collects all writes to one mailbox in one transaction. It holds the lock on the mailbox's state, so that change numbers follow the order
 * of commits: delta tokens rely on that. `finish` writes folder counts, change records and notifications once for all changes.
 */
export class MailboxWriter {
  readonly tx: Tx;
  readonly jar: MailJar;
  readonly mailbox: Mailbox;
  readonly now: number;
  /** The user who writes, if a calendar is shared with that user; undefined for the owner. Outgoing mail names the actor as its sender. */
  readonly actor: Address | undefined;
  readonly changes: MailboxChange[] = [];
  readonly state: MailboxState;
  #number: number;
  #subscriptions: number;
  #rules: number;
  #hasRemovals = false;
  readonly #folders = new Map<string, Folder>();
  readonly #counted = new Set<string>();

  private constructor(tx: Tx, jar: MailJar, mailbox: Mailbox, state: MailboxState, actor: Address | undefined) {
    this.tx = tx;
    this.jar = jar;
    this.mailbox = mailbox;
    this.now = jar.clock.now();
    this.actor = actor;
    this.state = state;
    this.#number = state.number;
    this.#subscriptions = state.subscriptions;
    this.#rules = state.rules;
  }

  static async begin(tx: Tx, jar: MailJar, mailbox: Mailbox, actor?: Address): Promise<MailboxWriter> {
    const state = (await tx.get(mailboxStates, mailbox.id))?.value;
    // The jar was reset between the lookup of the mailbox and this transaction.
    if (!state) throw errors.ErrorInvalidUser({ user: mailbox.address });
    return new MailboxWriter(tx, jar, mailbox, state, actor);
  }

  nextNumber(): number {
    this.#number += 1;
    return this.#number;
  }

  key(uid: string): string {
    return itemKey(this.mailbox.id, uid);
  }

  note(change: MailboxChange): void {
    this.changes.push(change);
  }

  /** Records that an item has left its container, for delta. */
  async removed(removal: Omit<Removal, 'mailbox' | 'at'>): Promise<void> {
    const key = this.key(`${removal.container}/${sortable(removal.number)}`);
    await this.tx.put(removals, key, { ...removal, mailbox: this.mailbox.id, at: this.now });
    await this.#keepForDelta();
  }

  /** Stores the former series after its occurrences changed, from which delta computes the removed ones. */
  async changedSeries(before: CalendarEvent, number: number): Promise<void> {
    const { uid } = before;
    const past = { mailbox: this.mailbox.id, uid, number, event: timesOnly(before), at: this.now };
    await this.tx.put(pastSeries, this.key(`${uid}/${sortable(number)}`), past);
    await this.#keepForDelta();
  }

  async #keepForDelta(): Promise<void> {
    if (!this.#hasRemovals) await keepRemovals(this);
    this.#hasRemovals = true;
  }

  /** The folder in its state within this transaction, with pending counts. */
  async folder(uid: string): Promise<Folder | undefined> {
    const known = this.#folders.get(uid);
    if (known) return known;
    const folder = (await this.tx.get(folders, this.key(uid)))?.value;
    if (folder) this.#folders.set(uid, folder);
    return folder;
  }

  async count(
    uid: string,
    by: { readonly total?: number; readonly unread?: number; readonly children?: number },
  ): Promise<void> {
    const folder = await this.folder(uid);
    if (!folder) return;
    const { total = 0, unread = 0, children = 0 } = by;
    this.putFolder({
      ...folder,
      total: folder.total + total,
      unread: folder.unread + unread,
      children: folder.children + children,
    });
  }

  /** `finish` writes the folder, under a new number. */
  putFolder(folder: Folder): void {
    this.#folders.set(folder.uid, folder);
    this.#counted.add(folder.uid);
  }

  async deleteFolder(folder: Folder): Promise<void> {
    await this.tx.delete(folders, this.key(folder.uid));
    this.#folders.delete(folder.uid);
    this.#counted.delete(folder.uid);
  }

  addSubscriptions(count: number): void {
    this.#subscriptions = Math.max(0, this.#subscriptions + count);
  }

  /** Number of rules within this transaction. */
  get rules(): number {
    return this.#rules;
  }

  addRules(count: number): void {
    this.#rules += count;
  }

  async finish(): Promise<void> {
    // First, since a removed folder also removes its subscriptions.
    if (this.#subscriptions > 0 && this.changes.length > 0) await notifyChanges(this);
    for (const uid of this.#counted) {
      const folder = this.#folders.get(uid);
      if (folder) await this.tx.put(folders, this.key(uid), { ...folder, number: this.nextNumber() });
    }
    await this.#putState({ number: this.#number, subscriptions: this.#subscriptions, rules: this.#rules });
    for (const change of this.changes) await this.#record(change);
  }

  async #putState(counts: Omit<MailboxState, 'forgotten'>): Promise<void> {
    const { number, subscriptions, rules } = this.state;
    if (counts.number === number && counts.subscriptions === subscriptions && counts.rules === rules) return;
    await this.tx.put(mailboxStates, this.mailbox.id, { ...this.state, ...counts });
  }

  async #record({ item, change, uid, container, number }: MailboxChange): Promise<void> {
    const data: Json = { mailbox: this.mailbox.id, address: this.mailbox.address, container, number };
    await this.tx.change({
      source: 'mail',
      kind: change,
      subject: `/users/${this.mailbox.id}/${item}s/${uid}`,
      outcome: 'Succeeded',
      at: this.now,
      data,
    });
  }
}

/** Writes to a mailbox in a separate transaction. */
export const changeMailbox = <R>(
  jar: MailJar,
  mailbox: Mailbox,
  body: (writer: MailboxWriter) => Promise<R>,
  actor?: Address,
): Promise<R> => jar.store.transact((tx) => writingMailbox(tx, jar, mailbox, body, actor));

/**
 * Writes to a mailbox within a transaction. A transaction that writes to several mailboxes starts with the smallest id, to prevent
 * deadlocks.
 */
export async function writingMailbox<R>(
  tx: Tx,
  jar: MailJar,
  mailbox: Mailbox,
  body: (writer: MailboxWriter) => Promise<R>,
  actor?: Address,
): Promise<R> {
  const writer = await MailboxWriter.begin(tx, jar, mailbox, actor);
  const result = await body(writer);
  await writer.finish();
  return result;
}

/** Writes to several mailboxes together, if the writes depend on each other. They are locked in the order of their ids. */
export async function writingMailboxes<R>(
  tx: Tx,
  jar: MailJar,
  mailboxes: readonly Mailbox[],
  body: (writerOf: (mailbox: Mailbox) => MailboxWriter) => Promise<R>,
  actor?: Address,
): Promise<R> {
  const writers = new Map<string, MailboxWriter>();
  for (const mailbox of mailboxes.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    if (!writers.has(mailbox.id)) writers.set(mailbox.id, await MailboxWriter.begin(tx, jar, mailbox, actor));
  const result = await body(({ id, address }) => {
    const writer = writers.get(id);
    if (!writer) throw new Error(`the mailbox of ${address} is not locked by this transaction`);
    return writer;
  });
  for (const writer of writers.values()) await writer.finish();
  return result;
}
