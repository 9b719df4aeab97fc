import type { BatchRules } from '../../../kernel/delivery/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { eventSubscriptions } from '../collections.ts';
import type { EventsJar } from '../jar.ts';

const ONE_BY_ONE: BatchRules = { maxItems: 1 };
const BATCHED: ReadonlySet<string> = new Set(['WebHook', 'AzureFunction']);
const KILOBYTE = 1024;

/** Uses the subscription's current settings. A batch takes what is due; nothing waits to fill it. */
export async function batchRules(destination: string, jar: EventsJar): Promise<BatchRules> {
  const found = (await readCached(jar.store, eventSubscriptions, destination))?.value.live?.destination;
  if (!found || !BATCHED.has(found.endpointType)) return ONE_BY_ONE;
  const { maxEventsPerBatch = 1, preferredBatchSizeInKilobytes = 64 } = found.properties;
  return { maxItems: maxEventsPerBatch, maxBytes: preferredBatchSizeInKilobytes * KILOBYTE };
}
