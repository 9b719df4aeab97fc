import type { Json, Tx } from '../../../kernel/store/index.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { folders, mailboxStates } from '../collections.ts';
import { pastSeries, type Removal, removals } from '../delta/collections.ts';
import { timesAlone } from '../delta/past-series.ts';
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

/** Texts that sort like numbers. */
const sortable = (number: number): string => String(number).padStart(NUMBER_DIGITS, '0');
const NUMBER_DIGITS = 15;

/**
 * All writes to one mailbox in one transaction. It holds the lock of the mailbox's state, so that changes have numbers in the order of their commits:
 * delta tokens rely on that. Counts of folders, change records and notifications are written by `finish`, once for all changes.
 */
export class MailboxWriter {
  readonly tx: Tx;
  readonly jar: MailJar;
  readonly mailbox: Mailbox;
  readonly now: number;
  /** Who writes, where that is not the owner of the mailbox but somebody with whom a calendar is shared: the sender of mail that goes out. */
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
    // A reset between the look-up of the mailbox and this transaction.
    if (!state) throw errors.ErrorInvalidUser({ user: mailbox.address });
    return new MailboxWriter(tx, jar, mailbox, state, actor);
  }

  /** The number of the next change. */
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

  /** An item has left its container: delta reports it from now on. */
  async removed(removal: Omit<Removal, 'mailbox' | 'at'>): Promise<void> {
    const key = this.key(`${removal.container}/${sortable(removal.number)}`);
    await this.tx.put(removals, key, { ...removal, mailbox: this.mailbox.id, at: this.now });
    await this.#keepForDelta();
  }

  /** Occurrences of a series are no longer where they were: delta finds out which from the series as it was. */
  async changedSeries(before: CalendarEvent, number: number): Promise<void> {
    const { uid } = before;
    const past = { mailbox: this.mailbox.id, uid, number, event: timesAlone(before), at: this.now };
    await this.tx.put(pastSeries, this.key(`${uid}/${sortable(number)}`), past);
    await this.#keepForDelta();
  }

  async #keepForDelta(): Promise<void> {
    if (!this.#hasRemovals) await keepRemovals(this);
    this.#hasRemovals = true;
  }

  /** As it is in this transaction, with the counts that it will have. */
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

  /** Written by `finish`, under a new number. */
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

  /** As they are in this transaction. */
  get rules(): number {
    return this.#rules;
  }

  addRules(count: number): void {
    this.#rules += count;
  }

  async finish(): Promise<void> {
    // First, since a folder that is gone takes its subscriptions with it.
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

/** Changes a mailbox in a transaction of its own. */
export const changeMailbox = <R>(
  jar: MailJar,
  mailbox: Mailbox,
  body: (writer: MailboxWriter) => Promise<R>,
  actor?: Address,
): Promise<R> => jar.store.transact((tx) => writingMailbox(tx, jar, mailbox, body, actor));

/** Changes a mailbox as a part of a transaction. One that changes several mailboxes begins with the smallest id, so that no two wait for each other. */
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

/** Changes several mailboxes together, where what is written to one depends on another. They are locked in the order of their ids. */
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
