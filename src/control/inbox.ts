import type { Route } from '../kernel/http/index.ts';
import type { Collection } from '../kernel/store/index.ts';
import { inboxes, inboxRequests } from './inbox/collections.ts';
import { receiverRoutes } from './inbox/receive.ts';
import { inboxControlRoutes } from './inbox/requests.ts';
import { inboxStreamRoute } from './inbox/stream.ts';

/** Built-in receivers of webhooks and events: open to send to, guarded to look into. */
export const inboxRoutes: readonly Route[] = [...inboxControlRoutes, inboxStreamRoute, ...receiverRoutes];

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const inboxCollections: readonly Collection<any>[] = [inboxes, inboxRequests];
