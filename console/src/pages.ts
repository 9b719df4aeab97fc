import { page as business } from './pages/business/index.ts';
import { page as containers } from './pages/containers/index.ts';
import { page as datasets } from './pages/datasets/index.ts';
import { page as datashare } from './pages/datashare/index.ts';
import { page as deliveries } from './pages/deliveries/index.ts';
import { page as events } from './pages/events/index.ts';
import { page as explorer } from './pages/explorer/index.ts';
import { page as faults } from './pages/faults/index.ts';
import { page as identity } from './pages/identity/index.ts';
import { page as inboxes } from './pages/inboxes/index.ts';
import { page as lifecycle } from './pages/lifecycle/index.ts';
import { page as limits } from './pages/limits/index.ts';
import { page as mail } from './pages/mail/index.ts';
import { page as overview } from './pages/overview/index.ts';
import { page as platform } from './pages/platform/index.ts';
import { page as requests } from './pages/requests/index.ts';
import { page as resources } from './pages/resources/index.ts';
import { page as snapshots } from './pages/snapshots/index.ts';
import { page as time } from './pages/time/index.ts';
import { page as translator } from './pages/translator/index.ts';
import type { Page } from './shared/page.ts';

/** All pages, in the order of the navigation. A new page is one folder and one line here. */
export const PAGES: readonly Page[] = [
  overview,
  requests,
  resources,
  containers,
  events,
  deliveries,
  inboxes,
  time,
  faults,
  limits,
  snapshots,
  business,
  datashare,
  datasets,
  mail,
  translator,
  lifecycle,
  platform,
  identity,
  explorer,
];
