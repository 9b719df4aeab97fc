import { type BucketLimit, bucketOf, type Limit } from '../../../kernel/limits/index.ts';

const perTopic = { kind: 'bucket', scope: ['topic'], incidental: true } as const;

export const EVENTS_PER_SECOND: BucketLimit = {
  ...perTopic,
  ...bucketOf(5000, 1),
  name: 'events.published-events',
  title: 'Events published to a topic or a domain in a second',
  unit: 'events',
};

export const BYTES_PER_SECOND: BucketLimit = {
  ...perTopic,
  ...bucketOf(5 * 1024 * 1024, 1),
  name: 'events.published-bytes',
  title: 'Bytes published to a topic or a domain in a second',
  unit: 'bytes',
};

/** Rate limits of publishing. */
export const PUBLISH_LIMITS: readonly Limit[] = [EVENTS_PER_SECOND, BYTES_PER_SECOND];
