import type { Route } from '../kernel/http/index.ts';
import { receiverRoutes } from './inbox/receive.ts';
import { inboxControlRoutes } from './inbox/requests.ts';
import { inboxStreamRoute } from './inbox/stream.ts';

/** Built-in receivers of webhooks and events: anyone may send to them, reading requires the admin key. */
export const inboxRoutes: readonly Route[] = [...inboxControlRoutes, inboxStreamRoute, ...receiverRoutes];
