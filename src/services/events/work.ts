import type { LegacyWork } from '../../kernel/whole-service.ts';
import { DELIVERING_WORK } from './delivering/work.ts';
import { DESTINATION_WORK } from './destinations/work.ts';
import { SUBSCRIPTION_WORK } from './subscriptions/work.ts';
import { TOPIC_WORK } from './topics/work.ts';

export const EVENT_WORK: Readonly<Record<string, LegacyWork>> = {
  ...TOPIC_WORK,
  ...SUBSCRIPTION_WORK,
  ...DELIVERING_WORK,
  ...DESTINATION_WORK,
};
