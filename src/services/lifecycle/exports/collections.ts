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

/** `no_logs` excludes the entities exported by default: sessions, events and so on. */
export const EXPORT_ENTITIES = ['crashes', 'errors', 'attachments', 'no_logs'] as const;
export type ExportEntity = (typeof EXPORT_ENTITIES)[number];

export const PATH_FORMATS = ['WithoutAppId', 'WithAppId'] as const;
export type PathFormat = (typeof PATH_FORMATS)[number];

export type ExportState = 'Pending' | 'Enabled' | 'Disabled' | 'Invalid';

/** A time range of the journal that still has to be searched for entries that are not queued. Milliseconds in the jar's time. */
export interface Backlog {
  readonly from: number;
  readonly to: number;
  /** Progress: the key of the last entry examined. */
  readonly after?: string;
}

/** Since when the destination has been failing, and when the next attempt is due. */
export interface DestinationFailure {
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
  /** The connection string or instrumentation key, sealed by the jar's vault. */
  readonly sealed?: string;
  readonly createdAt: string;
  readonly state: ExportState;
  readonly stateInfo?: string;
  readonly lastRunAt?: string;
  /** Set while the configuration is neither pending nor enabled; nothing is queued for it then. */
  readonly inactiveSince?: number;
  readonly backlog?: Backlog;
  readonly trouble?: DestinationFailure;
}

/** Keyed by `app/id`. */
export const exportConfigurations = collection<ExportConfiguration>('lifecycle.exports', {
  fields: {
    appId: text(({ appId }) => appId),
    state: text(({ state }) => state),
    createdAt: text(({ createdAt }) => createdAt),
  },
  indexes: [['appId', 'createdAt']],
  secrets: {
    what: 'connection strings and instrumentation keys of exports',
    afterwards: 'They are missing, and nothing is exported: PATCH the export configurations with new ones',
    name: ({ id, resourceName = id }) => resourceName,
    remove: (configuration) => configuration,
  },
});

export interface KeptLog {
  readonly type: string;
  readonly at: number;
  readonly sessionId?: string;
  readonly userId?: string;
  /** All device properties that were sent, including those that the service does not use. */
  readonly device: Device & Readonly<Record<string, unknown>>;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The logs of one request, kept for a while, so that exports created later can include past logs. */
export interface JournalEntry {
  readonly appId: string;
  readonly installId: string;
  readonly receivedAt: number;
  readonly bytes: number;
  readonly logs: readonly KeptLog[];
  /** Configurations for which the entry is queued. */
  readonly queuedFor: readonly string[];
}

/** Keyed by `app/time of receipt/number`. */
export const exportJournal = collection<JournalEntry>('lifecycle.export_journal', {
  fields: {
    isWanted: boolean(({ queuedFor }) => queuedFor.length > 0),
    receivedAt: number(({ receivedAt }) => receivedAt),
    sessions: set(sessionsIn),
  },
  indexes: [['isWanted', 'receivedAt']],
  wide: true,
});

/** Number of indexed sessions per entry. Further sessions of one request cannot be searched. */
const MOST_SESSIONS = 50;

export const sessionKey = (installId: string, sessionId: string): string => `${installId}/${sessionId}`;

/** Sessions in the entry with logs other than crash and error reports. */
function sessionsIn({ installId, logs }: JournalEntry): string[] {
  const found = new Set<string>();
  for (const { type, sessionId } of logs) {
    if (sessionId !== undefined && entityOf(type) === 'logs') found.add(sessionKey(installId, sessionId));
    if (found.size === MOST_SESSIONS) break;
  }
  return [...found];
}

/** A journal entry that waits to be exported by a configuration. */
export interface QueuedEntry {
  /** Key of the journal entry. */
  readonly entry: string;
  /** Start of the minute in which the entry was received; milliseconds in the jar's time. */
  readonly minute: number;
  readonly bytes: number;
}

/** Keyed by `configuration/time of receipt/number`. */
export const exportQueue = collection<QueuedEntry>('lifecycle.export_queue');

/** A set of entries exported together, fixed before the first blob is sent, so that a retry writes the same blobs. */
export interface Batch {
  /** Distinguishes its blobs from other blobs with the same name. */
  readonly id: string;
  readonly minute: number;
  readonly pathFormat: PathFormat;
  readonly entities: readonly ExportEntity[];
  /** Keys of queue entries. */
  readonly queued: readonly string[];
}

/** Keyed by configuration id; a configuration has at most one batch. */
export const exportBatches = collection<Batch>('lifecycle.export_batches');

export const EXPORT_COLLECTIONS = [exportConfigurations, exportJournal, exportQueue, exportBatches];

/** Retention of the journal, as in the real service. */
export const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;

/** Queue keys equal journal keys, with the configuration in place of the app. */
export const journalKey = (appId: string, tail: string): string => `${appId}/${tail}`;
export const queueKey = (configurationId: string, tail: string): string => `${configurationId}/${tail}`;
/** The part of a journal key after the app. Padded, so that keys sort by time. */
export const entryTail = (receivedAt: number, number: string): string =>
  `${String(receivedAt).padStart(15, '0')}/${number}`;
export const tailOf = (key: string): string => key.slice(key.indexOf('/') + 1);

export const configurationKey = (appId: string, id: string): string => `${appId}/${id}`;
