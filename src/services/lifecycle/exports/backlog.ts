import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import {
  type Backlog,
  configurationKey,
  type ExportConfiguration,
  entryTail,
  exportConfigurations,
  exportJournal,
  exportQueue,
  journalKey,
  KEPT_MS,
  queueKey,
  tailOf,
} from './collections.ts';
import { minuteOf } from './queue.ts';

/** Few entries per transaction, because an entry can be as large as a request. */
const PAGE = 20;
/** Requests in progress when a configuration stopped receiving logs may have been received slightly earlier. */
const SLACK_MS = 60 * MINUTE_MS;

/** The backlog of a new configuration. */
export const backlogOfNew = (now: number, backfill: boolean): { readonly backlog?: Backlog } =>
  backfill ? { backlog: { from: now - KEPT_MS, to: now + MINUTE_MS } } : {};

/** The backlog of a configuration that was stopped for a while. */
export function backlogOfStopped(now: number, configuration: ExportConfiguration): { readonly backlog?: Backlog } {
  const { inactiveSince, backlog, backfill, createdAt } = configuration;
  if (inactiveSince === undefined) return backlog ? { backlog } : {};
  const missed = Math.max(inactiveSince - SLACK_MS, backfill ? 0 : Date.parse(createdAt));
  return { backlog: { from: Math.min(missed, backlog?.from ?? missed), to: now + MINUTE_MS } };
}

/** Queues the next journal entries that are not queued yet for this configuration. */
export async function queueBacklog({ store }: Jar, { appId, id }: ExportConfiguration): Promise<void> {
  const key = configurationKey(appId, id);
  await store.transact(async (tx) => {
    const configuration = (await tx.get(exportConfigurations, key))?.value;
    if (!configuration?.backlog) return;
    const { backlog, ...rest } = configuration;
    const after = await queuePage(tx, configuration, backlog);
    await tx.put(exportConfigurations, key, after === undefined ? rest : { ...rest, backlog: { ...backlog, after } });
  });
}

/** Returns the key of the last entry examined, or undefined at the end of the backlog. */
async function queuePage(tx: Tx, { appId, id }: ExportConfiguration, backlog: Backlog): Promise<string | undefined> {
  const { from, to, after = journalKey(appId, entryTail(Math.max(0, from), '')) } = backlog;
  const { items } = await tx.query(exportJournal, {
    prefix: `${appId}/`,
    order: [{ field: 'key' }],
    after: [after],
    limit: PAGE,
  });
  for (const { key: entry, value } of items) {
    const { receivedAt, bytes, queuedFor } = value;
    if (receivedAt > to) return undefined;
    if (queuedFor.includes(id)) continue;
    await tx.put(exportJournal, entry, { ...value, queuedFor: [...queuedFor, id] });
    await tx.put(exportQueue, queueKey(id, tailOf(entry)), { entry, minute: minuteOf(receivedAt), bytes });
  }
  return items.length < PAGE ? undefined : items.at(-1)?.key;
}
