import { entityShape } from '../../kernel/odata/index.ts';
import { type Inbox, type InboxRequest, inboxes, inboxRequests } from './collections.ts';

/** By which inboxes can be filtered and ordered. */
export const inboxShape = entityShape({
  name: 'inboxes',
  collection: inboxes,
  properties: {
    name: { type: 'Edm.String', field: 'key' },
    received: { type: 'Edm.Int64', read: ({ next }: Inbox) => next - 1 },
    kept: { type: 'Edm.Int64' },
    bytes: { type: 'Edm.Int64' },
    createdAt: { type: 'Edm.DateTimeOffset' },
    lastAt: { type: 'Edm.DateTimeOffset' },
  },
  scan: 'bounded',
});

/** By which what an inbox has received can be filtered and ordered. */
export const requestShape = entityShape({
  name: 'requests',
  collection: inboxRequests,
  properties: {
    // As a text it would come in another order than as the number that it is.
    id: { type: 'Edm.String', orderable: false, read: ({ number }: InboxRequest) => String(number) },
    at: { type: 'Edm.DateTimeOffset' },
    method: { type: 'Edm.String', field: 'method' },
    path: { type: 'Edm.String', field: 'path' },
    body: { type: 'Edm.String', orderable: false },
    bodyBytes: { type: 'Edm.Int64' },
    truncated: { type: 'Edm.Boolean' },
    handshake: {
      type: { properties: { kind: { type: 'Edm.String' }, answered: { type: 'Edm.Boolean' } } },
    },
    answered: {
      type: { properties: { status: { type: 'Edm.Int32', field: 'status' }, delayMs: { type: 'Edm.Int64' } } },
    },
  },
  scan: 'bounded',
});
