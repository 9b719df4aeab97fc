import { entityShape, type PropertyShape } from '../../../kernel/odata/index.ts';
import { type Removal, removals, type Subscription, subscriptions } from '../webhooks/collection.ts';

/** Properties by which webhook subscriptions can be filtered and ordered. */

const Text = { type: 'Edm.String' } as const;
const Instant = { type: 'Edm.DateTimeOffset' } as const;

type Known = Pick<Subscription | Removal, 'target' | 'shownUrl' | 'flow' | 'expiresAt'>;

const COMMON: Readonly<Record<string, PropertyShape>> = {
  subscriptionId: { ...Text, field: 'subscriptionId', ignoreCase: true },
  api: { ...Text, read: ({ target }: Known) => target.route },
  set: { ...Text, read: ({ target }: Known) => target.set },
  company: {
    type: {
      properties: {
        id: { ...Text, ignoreCase: true, read: ({ companyId }: Known['target']) => companyId },
        name: { ...Text, read: ({ companyName }: Known['target']) => companyName },
      },
    },
    read: ({ target }: Known) => target,
  },
  notificationUrl: { ...Text, read: ({ shownUrl }: Known) => shownUrl },
};

export const liveShape = entityShape({
  name: 'subscriptions',
  collection: subscriptions,
  properties: {
    ...COMMON,
    tenantId: { ...Text, ignoreCase: true },
    resource: { ...Text, field: 'resource' },
    userId: { ...Text, field: 'user', ignoreCase: true },
    flow: { type: 'Edm.Boolean', field: 'flow' },
    createdAt: { ...Instant, field: 'created' },
    modifiedAt: { ...Instant, field: 'modified' },
    expirationDateTime: { ...Instant, field: 'expires' },
  },
  scan: 'bounded',
});

export const removedShape = entityShape({
  name: 'subscriptions',
  collection: removals,
  properties: {
    ...COMMON,
    tenantId: { ...Text, field: 'tenant', ignoreCase: true },
    resource: Text,
    userId: { ...Text, ignoreCase: true },
    flow: { type: 'Edm.Boolean', read: ({ flow }: Known) => flow === true },
    createdAt: Instant,
    modifiedAt: Instant,
    expirationDateTime: { ...Instant, read: ({ expiresAt }: Known) => expiresAt },
    removedAt: Instant,
    reason: { ...Text, field: 'reason' },
    detail: Text,
    removedBy: { ...Text, read: ({ by }: Removal) => by },
  },
  scan: 'bounded',
});
