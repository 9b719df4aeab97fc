import { collection, text } from '../../../../kernel/store/index.ts';

/** A directory that a job waits for new files in. The key is `arrivalKey`: a job may wait for several. */
export interface FileArrival {
  /** The key of the job. */
  readonly job: string;
  /** The tree and the path in it: `<workspace>/dbfs/landing`. */
  readonly place: string;
  /** `min_time_between_triggers_seconds` and `wait_after_last_change_seconds`. */
  readonly betweenMs: number;
  readonly waitMs: number;
  readonly firedAt?: number;
  /** When the last new file came that no run has been started for. */
  readonly arrivedAt?: number;
}

export const fileArrivals = collection<FileArrival>('platform.file_arrivals', {
  fields: { job: text((it) => it.job), place: text((it) => it.place) },
  indexes: [['job'], ['place']],
});

export const arrivalKey = (job: string, index: number): string => `${job}/${index}`;

export const TRIGGER_COLLECTIONS = [fileArrivals] as const;
