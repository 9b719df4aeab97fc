import type { Service } from './kernel/service/service.ts';
import { BUSINESS_APPLICATION } from './services/business/index.ts';
import { CONTAINERS } from './services/containers/index.ts';
import { DATASETS } from './services/datasets/index.ts';
import { DATA_SHARE } from './services/datashare/index.ts';
import { EVENTS } from './services/events/index.ts';
import { IDENTITY } from './services/identity/index.ts';
import { LIFECYCLE } from './services/lifecycle/index.ts';
import { MAIL } from './services/mail/index.ts';
import { MANAGEMENT_GROUPS } from './services/management-groups/index.ts';
import { PLATFORM } from './services/platform/index.ts';
import { RESOURCES } from './services/resources/index.ts';
import { SUBSCRIPTIONS } from './services/subscriptions/index.ts';
import { TRANSLATOR } from './services/translator/index.ts';

/** All services of the jar. To add one, add a folder in `services/` and a line here. */
export const SERVICES: readonly Service[] = [
  RESOURCES,
  SUBSCRIPTIONS,
  MANAGEMENT_GROUPS,
  IDENTITY,
  CONTAINERS,
  EVENTS,
  DATA_SHARE,
  BUSINESS_APPLICATION,
  TRANSLATOR,
  LIFECYCLE,
  DATASETS,
  MAIL,
  PLATFORM,
];
