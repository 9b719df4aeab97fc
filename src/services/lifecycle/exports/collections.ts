import { boolean, collection, number, set, text } from '../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import type { Device } from '../logs/types.ts';
import { entityOf } from './entities.ts';

export const EXPORT_KINDS = [
  'blob_storage_connection_string',
  'blob_storage_linked_subscription',
  'application_insights_instrumentation_key',
  'application_insights_linked_subscription',
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** `no_logs` takes out what is exported unless said otherwise: sessions, events and the like. */
export const EXPORT_ENTITIES = ['crashes', 'errors', 'attachments', 'no_logs'] as const;
export type ExportEntity = (typeof EXPORT_ENTITIES)[number];

export const PATH_FORMATS = ['WithoutAppId', 'WithAppId'] as const;
export type PathFormat = (typeof PATH_FORMATS)[number];

export type ExportState = 'Pending' | 'Enabled' | 'Disabled' | 'Invalid';

/** What was received in this time has yet to be looked through for what was not queued. Milliseconds of the jar's clock. */
export interface Backlog {
  readonly from: number;
  readonly to: number;
  /** How far one has come: the key of the last entry. */
  readonly after?: string;
}

/** Since when the destination cannot be written to, and when it is tried again. */
export interface Trouble {
  readonly since: number;
  readonly failures: number;
  readonly retryAt: number;
}

export interface ExportConfiguration {
  readonly id: string;
  readonly appId: string;
  readonly kind: ExportKind;
  readonly entities: readonly ExportEntity[];
  readonly resourceName?: string;
  readonly resourceGroup?: string;
  readonly backfill: boolean;
  readonly pathFormat?: PathFormat;
  readonly subscriptionId?: string;
  /** The connection string or the instrumentation key, sealed by the jar's vault. */
  readonly sealed?: string;
  readonly createdAt: string;
  readonly state: ExportState;
  readonly stateInfo?: string;
  readonly lastRunAt?: string;
  /** While it is neither pending nor enabled nothing is queued for it. */
  readonly inactiveSince?: number;
  readonly backlog?: Backlog;
  readonly trouble?: Trouble;
}

/** By `app/id`. */
export const exportConfigurations = collection<ExportConfiguration>('lifecycle.exports', {
  fields: {
    appId: text(({ appId }) => appId),
    state: text(({ state }) => state),
    createdAt: text(({ createdAt }) => createdAt),
  },
  indexes: [['appId', 'createdAt']],
  secrets: {
    what: 'connection strings and instrumentation keys of exports',
    afterwards: 'They are gone, and nothing is exported: PATCH the export configurations with new ones',
    name: ({ id, resourceName = id }) => resourceName,
    remove: (configuration) => configuration,
  },
});

export interface KeptLog {
  readonly type: string;
  readonly at: number;
  readonly sessionId?: string;
  readonly userId?: string;
  /** Everything that was sent of the device, what nobody else looks at included. */
  readonly device: Device & Readonly<Record<string, unknown>>;
  readonly content: Readonly<Record<string, unknown>>;
}

/** What one request brought, kept for a while: whoever is made to export later can begin in the past. */
export interface JournalEntry {
  readonly appId: string;
  readonly installId: string;
  readonly receivedAt: number;
  readonly bytes: number;
  readonly logs: readonly KeptLog[];
  /** The configurations that have been given it to export. */
  readonly queuedFor: readonly string[];
}

/** By `app/time of receipt/number`. */
export const exportJournal = collection<JournalEntry>('lifecycle.export_journal', {
  fields: {
    isWanted: boolean(({ queuedFor }) => queuedFor.length > 0),
    receivedAt: number(({ receivedAt }) => receivedAt),
    sessions: set(sessionsIn),
  },
  indexes: [['isWanted', 'receivedAt']],
  wide: true,
});

/** By which an entry can be found. Who claims to have had more at once is not found by the others. */
const MOST_SESSIONS = 50;

export const sessionKey = (installId: string, sessionId: string): string => `${installId}/${sessionId}`;

/** The sessions that the entry tells more of than that something went wrong. */
function sessionsIn({ installId, logs }: JournalEntry): string[] {
  const found = new Set<string>();
  for (const { type, sessionId } of logs) {
    if (sessionId !== undefined && entityOf(type) === 'logs') found.add(sessionKey(installId, sessionId));
    if (found.size === MOST_SESSIONS) break;
  }
  return [...found];
}

/** That an entry of the journal waits for a configuration to export it. */
export interface QueuedEntry {
  /** The key of the entry. */
  readonly entry: string;
  /** Milliseconds of the jar's clock at which the minute begins in which it was received. */
  readonly minute: number;
  readonly bytes: number;
}

/** By `configuration/time of receipt/number`. */
export const exportQueue = collection<QueuedEntry>('lifecycle.export_queue');

/** What goes out together, decided before the first of it is sent: whatever happens, a second attempt writes the same. */
export interface Batch {
  /** Tells its blobs from those of others under the same name. */
  readonly id: string;
  readonly minute: number;
  readonly pathFormat: PathFormat;
  readonly entities: readonly ExportEntity[];
  /** Keys of the queue. */
  readonly queued: readonly string[];
}

/** By the id of the configuration, which has one at a time. */
export const exportBatches = collection<Batch>('lifecycle.export_batches');

export const EXPORT_COLLECTIONS = [exportConfigurations, exportJournal, exportQueue, exportBatches];

/** How long what was received can be exported; the real service keeps it as long. */
export const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;

/** The queue has the keys of the journal, with the configuration in place of the app. */
export const journalKey = (appId: string, tail: string): string => `${appId}/${tail}`;
export const queueKey = (configurationId: string, tail: string): string => `${configurationId}/${tail}`;
/** What follows the app in a key of the journal. Times of this millennium have the same number of digits. */
export const entryTail = (receivedAt: number, number: string): string =>
  `${String(receivedAt).padStart(15, '0')}/${number}`;
export const tailOf = (key: string): string => key.slice(key.indexOf('/') + 1);

export const configurationKey = (appId: string, id: string): string => `${appId}/${id}`;
