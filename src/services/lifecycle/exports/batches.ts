import { uuid } from '../../../kernel/ids/index.ts';
import type { MarkedBlob } from '../../../kernel/outbound/storage/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Store, Stored } from '../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import {
  type Batch,
  configurationKey,
  type ExportConfiguration,
  exportBatches,
  exportConfigurations,
  exportJournal,
  exportQueue,
  type JournalEntry,
} from './collections.ts';
import { EXPORTED_ENTITIES, type ExportedEntity, entityOf, isWanted } from './entities.ts';
import { isActive } from './queue.ts';
import { type ExportRecord, recordOf } from './records.ts';

/** The container name that the real service uses. */
export const CONTAINER = 'archive';
const MOST_ENTRIES = 1000;
const MOST_BYTES = 16 * 1024 * 1024;
const READ_AT_ONCE = 50;

/** The batch to write next: the unfinished one, or the entries of the first complete minute. */
export function nextBatch({ store, clock }: Jar, { appId, id }: ExportConfiguration): Promise<Batch | undefined> {
  return store.transact(async (tx) => {
    const begun = await tx.get(exportBatches, id);
    if (begun) return begun.value;
    const configuration = (await tx.get(exportConfigurations, configurationKey(appId, id), 'share'))?.value;
    if (!configuration || !isActive(configuration)) return undefined;
    const { items } = await tx.query(exportQueue, { prefix: `${id}/`, limit: MOST_ENTRIES });
    const minute = items[0]?.value.minute;
    if (minute === undefined || minute + MINUTE_MS > clock.now()) return undefined;
    let bytes = 0;
    const queued: string[] = [];
    for (const { key, value } of items) {
      bytes += value.bytes;
      if (value.minute !== minute || (queued.length > 0 && bytes > MOST_BYTES)) break;
      queued.push(key);
    }
    const { entities, pathFormat = 'WithoutAppId' } = configuration;
    return (await tx.put(exportBatches, id, { id: uuid(), minute, pathFormat, entities, queued })).value;
  });
}

/** Removes the queue entries of a written batch. */
export async function finishBatch(
  { store, clock }: Jar,
  { appId, id }: ExportConfiguration,
  batch: Batch,
  records: number,
): Promise<void> {
  const key = configurationKey(appId, id);
  await store.transact(async (tx) => {
    const configuration = (await tx.get(exportConfigurations, key))?.value;
    const current = await tx.get(exportBatches, id);
    if (!configuration || current?.value.id !== batch.id) return;
    for (const queued of batch.queued) await tx.delete(exportQueue, queued);
    await tx.delete(exportBatches, id);
    const { trouble: _, stateInfo, ...rest } = configuration;
    const at = clock.now();
    // A configuration that was stopped meanwhile keeps its state message.
    const said = isActive(configuration) || stateInfo === undefined ? {} : { stateInfo };
    await tx.put(exportConfigurations, key, { ...rest, ...said, lastRunAt: new Date(at).toISOString() });
    await tx.change({
      source: 'lifecycle',
      kind: 'action',
      subject: subjectOf(configuration),
      outcome: 'Succeeded',
      at,
      data: { action: 'export', records },
    });
  });
}

/** Subject in change records. */
export const subjectOf = ({ appId, id }: Pick<ExportConfiguration, 'appId' | 'id'>): string =>
  `lifecycle/apps/${appId}/export_configurations/${id}`;

export interface Blobs {
  readonly records: number;
  readonly blobs: readonly (MarkedBlob & {
    /** Used if another blob, for example of another app, already has the name. */
    readonly otherName: string;
  })[];
}

/** One blob per entity with records. Deterministic, so that a retry writes the same. */
export async function blobsOf(store: Store, appId: string, batch: Batch): Promise<Blobs> {
  const entries = await entriesOf(store, batch);
  const records = new Map<ExportedEntity, ExportRecord[]>();
  for (const { key, value } of entries) {
    for (const [index, { type }] of value.logs.entries()) {
      const entity = entityOf(type);
      if (!isWanted(entity, batch.entities)) continue;
      const list = records.get(entity) ?? [];
      list.push(recordOf(value, key, index, entity));
      records.set(entity, list);
    }
  }
  const folder = folderOf(appId, batch);
  const blobs = EXPORTED_ENTITIES.flatMap((entity) => {
    const list = records.get(entity);
    if (!list) return [];
    const ending = entity === 'logs' ? 'v1.data' : 'v1.json';
    return {
      container: CONTAINER,
      name: `${folder}/${entity}.${ending}`,
      otherName: `${folder}/${entity}-${batch.id}.${ending}`,
      body: JSON.stringify(list),
      contentType: 'application/json',
      mark: batch.id,
    };
  });
  return { blobs, records: [...records.values()].reduce((sum, list) => sum + list.length, 0) };
}

/** For example `2026/03/01/12/05`, optionally prefixed with the app id. */
function folderOf(appId: string, { minute, pathFormat }: Batch): string {
  const path = new Date(minute).toISOString().slice(0, 16).replaceAll(/[-T:]/g, '/');
  return pathFormat === 'WithAppId' ? `${appId}/${path}` : path;
}

async function entriesOf(store: Store, { queued }: Batch): Promise<readonly Stored<JournalEntry>[]> {
  const entries: Stored<JournalEntry>[] = [];
  for (let at = 0; at < queued.length; at += READ_AT_ONCE) {
    const read = queued.slice(at, at + READ_AT_ONCE).map(async (key) => {
      const waiting = await store.get(exportQueue, key);
      return waiting && store.get(exportJournal, waiting.value.entry);
    });
    // Entries past their retention are already deleted.
    for (const entry of await Promise.all(read)) if (entry) entries.push(entry);
  }
  return entries;
}
