import { shortId } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type Outbox, type Window, windows } from './collections.ts';
import { NOTIFY, notifyItem } from './work.ts';

/** User and time of the windows that a transaction opens. */
interface Opening {
  readonly now: number;
  readonly user: string;
}

/** Windows while a transaction opens and joins them. */
export class WindowDrafts {
  readonly #tx: Tx;
  readonly #opening: Opening;
  readonly #known = new Map<string, Window | undefined>();
  readonly #changed = new Set<string>();
  readonly #opened = new Set<string>();

  constructor(tx: Tx, opening: Opening) {
    this.#tx = tx;
    this.#opening = opening;
  }

  /** Locks windows until the transaction ends, in sorted order, so that transactions cannot deadlock. */
  async lock(keys: Iterable<string>): Promise<void> {
    const fresh = [...new Set(keys)].filter((key) => !this.#known.has(key)).sort();
    for (const key of fresh) {
      await this.#tx.lock(`business.window/${key}`);
      this.#known.set(key, (await this.#tx.get(windows, key))?.value);
    }
  }

  get(key: string): Window | undefined {
    return this.#known.get(key);
  }

  /** The open window of an outbox, or a new one that closes after the delay. */
  open({ window: key, tenantId, target, shownUrl }: Outbox, delayMs: number): Window {
    const known = this.#known.get(key);
    if (known) return known;
    const { now, user } = this.#opening;
    const closesAt = now + delayMs;
    const { companyName } = target;
    const opened: Window = {
      id: windowId(now),
      tenantId,
      companyName,
      shownUrl,
      openedAt: now,
      closesAt,
      openedBy: user,
      tables: [],
    };
    this.#known.set(key, opened);
    this.#changed.add(key);
    this.#opened.add(key);
    return opened;
  }

  /** Records that a user who can schedule jobs changed this table. */
  noteTable(key: string, table: string): void {
    const known = this.#known.get(key);
    if (!known || known.tables.includes(table)) return;
    this.#known.set(key, { ...known, tables: [...known.tables, table] });
    this.#changed.add(key);
  }

  async save(): Promise<void> {
    for (const key of this.#changed) await this.#tx.put(windows, key, this.#known.get(key) as Window);
    for (const key of this.#opened) {
      const { id, closesAt } = this.#known.get(key) as Window;
      await this.#tx.schedule(NOTIFY.at(closesAt, { window: key, id }, notifyItem(id)));
    }
  }
}

const TIME_DIGITS = 10;
const RADIX = 32;

/** Id of a window or a hold; ids sort by creation time. */
export const windowId = (now: number): string => now.toString(RADIX).padStart(TIME_DIGITS, '0') + shortId();
