import { collection, text } from '../../../../kernel/store/index.ts';

/** A directory that a job watches for new files. The key is `arrivalKey`: a job may watch several. */
export interface FileArrival {
  /** The key of the job. */
  readonly job: string;
  /** The tree and the path in it: `<workspace>/dbfs/landing`. */
  readonly place: string;
  /** `min_time_between_triggers_seconds` and `wait_after_last_change_seconds`. */
  readonly betweenMs: number;
  readonly waitMs: number;
  readonly firedAt?: number;
  /** Arrival of the newest file for which no run has been started. */
  readonly arrivedAt?: number;
}

export const fileArrivals = collection<FileArrival>('platform.file_arrivals', {
  fields: { job: text((it) => it.job), place: text((it) => it.place) },
  indexes: [['job'], ['place']],
});

export const arrivalKey = (job: string, index: number): string => `${job}/${index}`;

export type CatalogEvent = 'TABLE_UPDATED' | 'MODEL_CREATED' | 'MODEL_VERSION_READY' | 'MODEL_ALIAS_SET';

/** A trigger that waits for changes in the catalog. The key is `arrivalKey`. The observed changes are in its `catalogWatches`. */
export interface CatalogTrigger {
  /** The key of the job. */
  readonly job: string;
  readonly event: CatalogEvent;
  /** True if every name has to change before a run starts; otherwise one change suffices. */
  readonly all: boolean;
  readonly betweenMs: number;
  readonly waitMs: number;
  readonly firedAt?: number;
}

export const catalogTriggers = collection<CatalogTrigger>('platform.catalog_triggers', {
  fields: { job: text((it) => it.job) },
  indexes: [['job']],
});

/**
 * One name that a trigger watches, as a separate document, so that the commit of a table finds its triggers by an index. The key is
 * `watchKey`.
 */
export interface CatalogWatch {
  readonly job: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly event: CatalogEvent;
  /** In lower case: the full name of a table, model, schema or catalog; empty for all models of the metastore. */
  readonly name: string;
  /** In lower case. Absent: every alias. */
  readonly aliases?: readonly string[];
  /** The last change for which no run has been started. */
  readonly seen?: { readonly at: number; readonly version?: number };
}

export const watchKey = (trigger: string, index: number): string => `${trigger}/${String(index).padStart(3, '0')}`;

/** Tables are looked up by the last part of their names: the full name would take three more reads, which most commits can avoid. */
export const tablePlace = (lastName: string): string => `table:${lastName}`;
export const modelPlace = (name: string): string => `model:${name}`;

export const catalogWatches = collection<CatalogWatch>('platform.catalog_watches', {
  fields: {
    job: text((it) => it.job),
    place: text(({ event, name }) =>
      event === 'TABLE_UPDATED' ? tablePlace(name.slice(name.lastIndexOf('.') + 1)) : modelPlace(name),
    ),
  },
  indexes: [['job'], ['place']],
});

export const TRIGGER_COLLECTIONS = [fileArrivals, catalogTriggers, catalogWatches] as const;
