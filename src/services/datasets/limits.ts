import { bucketOf, type Limit, type RateLimit } from '../../kernel/limits/index.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/time/index.ts';

/** Limits on the contents of one request; each request is counted separately while it is validated. */
const IN_REQUEST = { kind: 'concurrency', scope: ['request'], fixed: true } as const;
const OF_DATASET = { scope: ['dataset'], fixed: true } as const;

export const TABLES = {
  ...IN_REQUEST,
  name: 'datasets.tables',
  title: 'Tables of a dataset',
  unit: 'tables',
  limit: 75,
} satisfies RateLimit;

export const COLUMNS = {
  ...IN_REQUEST,
  name: 'datasets.columns',
  title: 'Columns of a table',
  unit: 'columns',
  limit: 75,
} satisfies RateLimit;

export const RELATIONSHIPS = {
  ...IN_REQUEST,
  name: 'datasets.relationships',
  title: 'Relationships of a dataset',
  unit: 'relationships',
  limit: 75,
} satisfies RateLimit;

export const ROWS_PER_REQUEST = {
  ...IN_REQUEST,
  name: 'datasets.rows-per-request',
  title: 'Rows per request',
  unit: 'rows',
  limit: 10_000,
} satisfies RateLimit;

export const ROWS_PER_HOUR = {
  ...OF_DATASET,
  kind: 'window',
  window: 'fixed',
  name: 'datasets.rows-per-hour',
  title: 'Rows pushed to a dataset per hour',
  unit: 'rows',
  limit: 1_000_000,
  windowMs: HOUR_MS,
} satisfies RateLimit;

export const PUSHES_PER_MINUTE = {
  ...OF_DATASET,
  kind: 'window',
  window: 'fixed',
  name: 'datasets.pushes-per-minute',
  title: 'Push requests to a dataset per minute',
  limit: 120,
  windowMs: MINUTE_MS,
} satisfies RateLimit;

/** Replaces the limit per minute for large tables. */
export const PUSHES_PER_HOUR = {
  ...OF_DATASET,
  kind: 'window',
  window: 'fixed',
  name: 'datasets.pushes-per-hour',
  title: 'Push requests to a dataset per hour, for tables with at least 250,000 rows',
  limit: 120,
  windowMs: HOUR_MS,
} satisfies RateLimit;

/** From this number of rows on, a table has `PUSHES_PER_HOUR`. */
export const LARGE_TABLE_ROWS = 250_000;

export const PENDING_PUSHES = {
  ...OF_DATASET,
  kind: 'concurrency',
  name: 'datasets.pending-pushes',
  title: 'Pending push requests to a dataset',
  limit: 5,
} satisfies RateLimit;

/**
 * The documentation implies this limit ("1 request") but contradicts it with the limit per minute, so it is only counted unless a mode is
 * configured.
 */
export const PUSHES_PER_SECOND = {
  ...OF_DATASET,
  kind: 'bucket',
  name: 'datasets.pushes-per-second',
  title: 'Push requests to a dataset per second',
  ...bucketOf(1, 1),
  mode: 'unlimited',
} satisfies RateLimit;

export const STREAMED_PER_SECOND = {
  ...OF_DATASET,
  kind: 'bucket',
  name: 'datasets.streamed-per-second',
  title: 'Push requests to a streaming dataset per second',
  ...bucketOf(5, 1),
  incidental: true,
} satisfies RateLimit;

/** A larger push to a streaming dataset is rejected; a larger push to a PushStreaming dataset is stored but not streamed. */
export const LARGEST_STREAMED_BYTES = 15 * 1024;

export const USER_REQUESTS = {
  kind: 'window',
  window: 'fixed',
  name: 'datasets.requests',
  title: 'Requests of a user per minute',
  scope: ['user'],
  limit: 120,
  windowMs: MINUTE_MS,
  incidental: true,
} satisfies RateLimit;

export const QUERIES = {
  kind: 'window',
  window: 'fixed',
  name: 'datasets.queries',
  title: 'Queries of a user per minute',
  scope: ['user'],
  limit: 120,
  windowMs: MINUTE_MS,
} satisfies RateLimit;

/** For datasets without a retention policy; `basicFIFO` removes the oldest rows instead. */
export const ROWS_PER_TABLE = {
  kind: 'quota',
  name: 'datasets.rows-per-table',
  title: 'Rows of a table without a retention policy',
  scope: ['dataset', 'table'],
  unit: 'rows',
  limit: 5_000_000,
  fixed: true,
} satisfies Limit;

export const DATASETS_LIMITS: readonly Limit[] = [
  TABLES,
  COLUMNS,
  RELATIONSHIPS,
  ROWS_PER_REQUEST,
  ROWS_PER_HOUR,
  PUSHES_PER_MINUTE,
  PUSHES_PER_HOUR,
  PENDING_PUSHES,
  PUSHES_PER_SECOND,
  STREAMED_PER_SECOND,
  USER_REQUESTS,
  QUERIES,
  ROWS_PER_TABLE,
];
