import type { Books } from '../records/books.ts';
import { watchersOf } from '../webhooks/watching.ts';
import type { ChangeTrace, Verdict } from './collections.ts';
import { holdOf } from './holds.ts';
import { Intake } from './intake.ts';
import { MOST_STORED } from './thresholds.ts';

/**
 * Called at the end of every transaction with its changes: records them, and adds notifications to outboxes. All in the same transaction,
 * so that exactly the committed changes are notified.
 */
export async function recordChanges(books: Books, mostStored: number = MOST_STORED): Promise<void> {
  const { tx, jar, changes, company, actor, now } = books;
  if (changes.length === 0) return;
  const verdicts = await verdictsOn(books, mostStored);
  const hold = holdOf(actor);
  const traces: ChangeTrace[] = [];
  for (const [i, { type, row }] of changes.entries()) {
    const own = verdicts?.[i] ?? [];
    const trace: ChangeTrace = {
      at: now,
      type,
      tenantId: company.tenantId,
      company: company.id,
      companyName: company.name,
      table: row.table.name,
      id: row.id,
      user: actor.objectId,
      userName: actor.name,
      ...(hold && { hold }),
      verdicts: own,
    };
    traces.push(trace);
    await tx.change({
      source: 'business',
      kind: type,
      subject: row.stored.key,
      outcome: 'Succeeded',
      at: now,
      data: { table: trace.table, id: row.id, user: actor.objectId, told: own },
    });
  }
  await jar.traces.note(tx, traces);
}

async function verdictsOn(books: Books, mostStored: number): Promise<Verdict[][] | undefined> {
  const { tx, jar, changes, company, now } = books;
  const tables = [...new Set(changes.map(({ row }) => row.table.name))];
  const watchers = await watchersOf(tx, company.key, tables, now);
  if (watchers.size === 0) return undefined;
  return new Intake(books, watchers, await jar.settings.within(tx), mostStored).run();
}
