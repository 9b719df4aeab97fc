import { etag } from '../../../kernel/ids/index.ts';
import { atMost, eq, type Stored, type Tx } from '../../../kernel/store/index.ts';
import { deleteBlob, putBlob, readBlob } from '../blobs/store.ts';
import { keptMails, keptTotals } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import type { KeptMail, KeptTotals, QueuedMail } from './types.ts';

/** Mail that cannot leave the jar because no relay is configured. The newest mails are kept for inspection. */

const KEY = 'all';
/** Mails that one transaction removes. If a setting was lowered, the next mails remove the rest. */
const SLICE = 100;

/** Every change starts with the totals document, to prevent deadlocks. */
class KeptMailWriter {
  readonly #tx: Tx;
  totals: KeptTotals;

  private constructor(tx: Tx, totals: KeptTotals) {
    this.#tx = tx;
    this.totals = totals;
  }

  static async begin(tx: Tx): Promise<KeptMailWriter> {
    return new KeptMailWriter(tx, (await tx.get(keptTotals, KEY))?.value ?? { mails: 0, bytes: 0, number: 0 });
  }

  async add({ from, mailbox, subject, messageId, ...mail }: QueuedMail, to: string, at: number): Promise<void> {
    const tx = this.#tx;
    // All recipients of a mail share one blob, since there may be hundreds.
    const blob = `kept-${mail.id}`;
    const same = (await tx.query(keptMails, { filter: eq('blob', blob), limit: 1 })).items[0]?.value;
    const size = same?.size ?? (await copied(tx, mail.blob, blob));
    const number = this.totals.number + 1;
    this.totals = { ...this.totals, number };
    await tx.put(keptMails, etag(), { from, to, subject, messageId, mailbox, at, number, blob, size });
    this.#count(1, same ? 0 : size);
  }

  async remove({ key, value: { blob, size } }: Stored<KeptMail>): Promise<boolean> {
    const tx = this.#tx;
    if (!(await tx.delete(keptMails, key))) return false;
    const { items } = await tx.query(keptMails, { filter: eq('blob', blob), limit: 1 });
    if (items.length === 0) await deleteBlob(tx, blob);
    this.#count(-1, items.length === 0 ? -size : 0);
    return true;
  }

  async finish(): Promise<void> {
    await this.#tx.put(keptTotals, KEY, this.totals);
  }

  #count(mails: number, bytes: number): void {
    this.totals = { ...this.totals, mails: this.totals.mails + mails, bytes: this.totals.bytes + bytes };
  }
}

async function copied(tx: Tx, blob: string, copy: string): Promise<number> {
  const raw = await readBlob(tx, blob);
  await putBlob(tx, raw, copy);
  return raw.length;
}

/** Keeps a mail for one recipient. Above the limits, the oldest mails are removed. */
export async function keepMail(tx: Tx, jar: MailJar, mail: QueuedMail, to: string): Promise<void> {
  const keeping = await KeptMailWriter.begin(tx);
  await keeping.add(mail, to, jar.clock.now());
  const { keptMailLimit, keptMailSizeLimit } = await jar.settings.within(tx);
  const isTooMuch = (): boolean => keeping.totals.mails > keptMailLimit || keeping.totals.bytes > keptMailSizeLimit;
  if (isTooMuch()) {
    const { items } = await tx.query(keptMails, { order: [{ field: 'number' }], limit: SLICE });
    for (const oldest of items) if (isTooMuch()) await keeping.remove(oldest);
  }
  await keeping.finish();
}

/** Returns true if the mail existed. */
export const removeKept = ({ store }: Pick<MailJar, 'store'>, id: string): Promise<boolean> =>
  store.transact(async (tx) => {
    const keeping = await KeptMailWriter.begin(tx);
    const stored = await tx.get(keptMails, id);
    if (!stored || !(await keeping.remove(stored))) return false;
    await keeping.finish();
    return true;
  });

/** Removes all mails that existed at the start. Returns how many. */
export async function removeAllKept({ store }: Pick<MailJar, 'store'>): Promise<number> {
  const filter = atMost('number', (await store.get(keptTotals, KEY))?.value.number ?? 0);
  let removed = 0;
  for (;;) {
    const found = await store.transact(async (tx) => {
      const keeping = await KeptMailWriter.begin(tx);
      const { items } = await tx.query(keptMails, { filter, order: [{ field: 'number' }], limit: SLICE });
      for (const stored of items) await keeping.remove(stored);
      await keeping.finish();
      return items.length;
    });
    removed += found;
    if (found < SLICE) return removed;
  }
}
