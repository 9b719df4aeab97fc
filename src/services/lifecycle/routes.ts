import type { Route } from '../../kernel/http/index.ts';
import { PROFILE_OPERATIONS } from './accounts/operations.ts';
import { AVATAR_OPERATIONS, PICTURE_ROUTE } from './accounts/picture-routes.ts';
import { AUDIENCE_OPERATIONS } from './analytics/audience-operations.ts';
import { ANALYTICS_OPERATIONS } from './analytics/operations.ts';
import { APP_OPERATIONS } from './apps/operations.ts';
import { FILE_ROUTES } from './diagnostics/file-routes.ts';
import { CRASH_OPERATIONS, WEBHOOK_OPERATIONS } from './diagnostics/legacy/operations.ts';
import { DIAGNOSTICS_OPERATIONS } from './diagnostics/operations.ts';
import { DISTRIBUTION_OPERATIONS } from './distribution/operations.ts';
import { EXPORT_OPERATIONS } from './exports/operations.ts';
import { INVITATION_OPERATIONS } from './invitations/operations.ts';
import { BLOCK_OPERATIONS, LOG_ROUTES } from './logs/routes.ts';
import { operationRoutes } from './operation.ts';
import { ORG_OPERATIONS } from './orgs/operations.ts';
import { EXPORT_ROUTE, SUBJECT_OPERATIONS } from './subject-rights/operations.ts';
import { SUBSCRIPTION_OPERATIONS } from './subscriptions/operations.ts';
import { SYMBOL_GROUP_OPERATIONS, SYMBOL_OPERATIONS } from './symbols/operations.ts';
import { TEAM_OPERATIONS } from './teams/operations.ts';
import { TOKEN_OPERATIONS } from './tokens/operations.ts';

/** Every operation of the API. The rows of each area define who may call it. */
export const lifecycleRoutes: readonly Route[] = [
  ...operationRoutes('accounts', PROFILE_OPERATIONS),
  ...operationRoutes('accounts', APP_OPERATIONS),
  ...operationRoutes('accounts', AVATAR_OPERATIONS),
  PICTURE_ROUTE,
  ...operationRoutes('accounts', INVITATION_OPERATIONS),
  ...operationRoutes('accounts', ORG_OPERATIONS),
  ...operationRoutes('accounts', TEAM_OPERATIONS),
  ...operationRoutes('accounts', DISTRIBUTION_OPERATIONS),
  ...operationRoutes('accounts', SUBSCRIPTION_OPERATIONS),
  ...operationRoutes('accounts', SUBJECT_OPERATIONS),
  EXPORT_ROUTE,
  ...operationRoutes('accounts', TOKEN_OPERATIONS),
  ...operationRoutes('exports', EXPORT_OPERATIONS),
  ...operationRoutes('diagnostics', DIAGNOSTICS_OPERATIONS),
  ...operationRoutes('crashes', CRASH_OPERATIONS),
  ...operationRoutes('symbols', SYMBOL_OPERATIONS),
  ...operationRoutes('symbolGroups', SYMBOL_GROUP_OPERATIONS),
  ...operationRoutes('accounts', WEBHOOK_OPERATIONS),
  ...FILE_ROUTES,
  ...LOG_ROUTES,
  ...operationRoutes('analytics', BLOCK_OPERATIONS),
  ...operationRoutes('analytics', ANALYTICS_OPERATIONS),
  ...operationRoutes('analytics', AUDIENCE_OPERATIONS),
];
