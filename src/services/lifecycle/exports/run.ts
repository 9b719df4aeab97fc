import { BadConnectionString, Calls } from '../../../kernel/outbound/index.ts';
import { readStorageAccount, StorageClient, StorageFailure } from '../../../kernel/outbound/storage/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import { trySettle, untilSettled, workHandler } from '../../../kernel/work/index.ts';
import { queueBacklog } from './backlog.ts';
import { blobsOf, CONTAINER, finishBatch, nextBatch } from './batches.ts';
import {
  configurationKey,
  type ExportConfiguration,
  exportBatches,
  exportConfigurations,
  exportQueue,
} from './collections.ts';
import { isActive } from './queue.ts';
import { failed, invalid, verified } from './state.ts';
import { EXPORT } from './work.ts';

const NOT_IN_A_JAR: Readonly<Record<Exclude<ExportConfiguration['kind'], 'blob_storage_connection_string'>, string>> = {
  blob_storage_linked_subscription:
    'This jar has no storage accounts in linked subscriptions; export with the connection string of a storage account.',
  application_insights_instrumentation_key:
    'This jar has no telemetry service for the key; export to blob storage with a connection string.',
  application_insights_linked_subscription:
    'This jar has no telemetry service in linked subscriptions; export to blob storage with a connection string.',
};

/** Runs one configuration until nothing more can be done now: checks the destination, queues the backlog, writes batches. */
export const runExport = workHandler(EXPORT, async (item, jar: Jar, halt) => {
  const { appId, id } = item.payload;
  const key = configurationKey(appId, id);
  await Calls.during(halt, (calls) =>
    untilSettled(async () => {
      while (!halt.aborted && (await step(jar, key, calls))) {
        // Until no step is left.
      }
      return trySettle(jar.store, item, (tx) => nextTime(tx, key, jar.clock.now()));
    }),
  );
});

/** The next time at which there is something to do. */
async function nextTime(tx: Tx, key: string, now: number): Promise<number | undefined> {
  const configuration = (await tx.get(exportConfigurations, key, 'none'))?.value;
  if (!configuration || !isActive(configuration)) return undefined;
  const { id, state, backlog, trouble } = configuration;
  if (trouble) return trouble.retryAt;
  if (state === 'Pending' || backlog || (await tx.get(exportBatches, id, 'none'))) return now;
  const first = (await tx.query(exportQueue, { prefix: `${id}/`, limit: 1 })).items[0];
  return first && first.value.minute + MINUTE_MS;
}

/** Executes the next step. Returns false if there is nothing to do now. */
async function step(jar: Jar, key: string, calls: Calls): Promise<boolean> {
  const configuration = (await jar.store.get(exportConfigurations, key))?.value;
  if (!configuration || !isActive(configuration)) return false;
  if (configuration.trouble && jar.clock.now() < configuration.trouble.retryAt) return false;
  if (configuration.kind !== 'blob_storage_connection_string') {
    await invalid(jar, configuration, NOT_IN_A_JAR[configuration.kind]);
    return false;
  }
  try {
    return await goOn(jar, configuration, storageOf(jar, configuration, calls));
  } catch (error) {
    if (error instanceof BadConnectionString) {
      await invalid(jar, configuration, `The connection string ${error.message}.`);
      return false;
    }
    if (!(error instanceof StorageFailure)) throw error;
    // The work was halted; the destination did not fail.
    if (calls.areCancelled) return false;
    const reason = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
    await (error.isFinal ? invalid : failed)(jar, configuration, reason);
    return false;
  }
}

async function goOn(jar: Jar, configuration: ExportConfiguration, storage: StorageClient): Promise<boolean> {
  if (configuration.state === 'Pending') {
    await storage.ensureContainer(CONTAINER);
    await verified(jar, configuration);
    return true;
  }
  if (configuration.backlog) {
    await queueBacklog(jar, configuration);
    return true;
  }
  const batch = await nextBatch(jar, configuration);
  if (!batch) return false;
  const { blobs, records } = await blobsOf(jar.store, configuration.appId, batch);
  for (const blob of blobs) {
    const isWritten = await inContainer(storage, () => storage.writeNew(blob));
    if (!isWritten) await storage.overwrite({ ...blob, name: blob.otherName });
  }
  await finishBatch(jar, configuration, batch, records);
  return true;
}

/** The container may have been deleted since the check. */
async function inContainer<R>(storage: StorageClient, write: () => Promise<R>): Promise<R> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof StorageFailure) || error.answer?.status !== 404) throw error;
    await storage.ensureContainer(CONTAINER);
    return write();
  }
}

const storageOf = ({ vault, outbound }: Jar, { sealed = '' }: ExportConfiguration, calls: Calls): StorageClient =>
  new StorageClient({ outbound, account: readStorageAccount(vault.open(sealed), ['blob']), calls });
