import { entityShape } from '../../kernel/odata/index.ts';
import { type Inbox, type InboxRequest, inboxes, inboxRequests } from './collections.ts';

/** Fields for filtering and ordering inboxes. */
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

/** Fields for filtering and ordering received requests. */
export const requestShape = entityShape({
  name: 'requests',
  collection: inboxRequests,
  properties: {
    // Not orderable: as text, the number would be ordered differently.
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
