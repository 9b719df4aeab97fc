import { operationsRoute } from '../../kernel/arm/index.ts';
import type { Route } from '../../kernel/http/index.ts';
import { aliasRoutes } from './aliases/routes.ts';
import { partRoutes } from './billing/parts.ts';
import { billingRoutes } from './billing/routes.ts';
import { NAMESPACE } from './names.ts';
import { ownershipRoutes } from './ownership/routes.ts';
import { policyRoutes } from './policies/routes.ts';
import { stateRoutes } from './state/routes.ts';
import { VERSIONS } from './version-table.ts';

const ofSubscriptions: readonly Route[] = [...aliasRoutes, ...ownershipRoutes, ...stateRoutes, ...policyRoutes];

export const subscriptionRoutes: readonly Route[] = [
  ...ofSubscriptions,
  ...billingRoutes,
  ...partRoutes,
  operationsRoute({
    namespace: NAMESPACE,
    title: 'Vendor Subscription',
    operations: 'Operations',
    versions: VERSIONS.of('operations'),
    routes: ofSubscriptions,
  }),
];
