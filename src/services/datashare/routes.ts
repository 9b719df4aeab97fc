import { type AnyArmCode, armRouteOf, operationsRoute, resourceRoutes } from '../../kernel/arm/index.ts';
import type { Route } from '../../kernel/http/index.ts';
import { ACCOUNT_DEFINITION } from './accounts/account.ts';
import { getInvitation, listInvitations, rejectInvitation } from './consumers/invitations.ts';
import { MAPPING, MAPPING_WRITING } from './consumers/mapping.ts';
import { listSourceDataSets, listSourceSettings, SOURCE } from './consumers/source.ts';
import { SUBSCRIPTION, SUBSCRIPTION_WRITING } from './consumers/subscription.ts';
import { TRIGGER, TRIGGER_WRITING } from './consumers/trigger.ts';
import { activateEmail, registerEmail } from './emails/emails.ts';
import { getCode, listCode, putCode, removeCode } from './model/child-code.ts';
import { actionRoute, childRoutes, pathTo } from './model/child-routes.ts';
import { removeLaterCode } from './model/remove-later.ts';
import { operationResult } from './operations.ts';
import { forgetSubscription } from './purge.ts';
import { cancelSynchronization, runResult, runStatus, synchronize } from './runs/actions.ts';
import { forgetMapping } from './runs/ledger.ts';
import { detailsOfShare, detailsOfSubscription, listOfShare, listOfSubscription } from './runs/lists.ts';
import { adjust, CONSUMER, getConsumer, listConsumers, reinstate, revoke } from './shares/consumer.ts';
import { DATA_SET, DATA_SET_WRITING } from './shares/data-set.ts';
import { INVITATION, INVITATION_WRITING } from './shares/invitation.ts';
import { SETTING, SETTING_WRITING, stopTriggers } from './shares/setting.ts';
import { SHARE, SHARE_WRITING } from './shares/share.ts';
import { NAMESPACE, TYPES } from './types.ts';
import { DATASHARE_VERSIONS } from './version-table.ts';
import { expiryId, fireId } from './work.ts';

const NO_LOCATION = { location: 'global' };

const providerRoutes: readonly Route[] = [
  ...childRoutes(SHARE, {
    put: putCode(SHARE, SHARE_WRITING),
    get: getCode(SHARE),
    list: listCode(SHARE),
    delete: removeLaterCode(SHARE, 'share', ({ home }) => home),
  }),
  ...childRoutes(DATA_SET, {
    put: putCode(DATA_SET, DATA_SET_WRITING),
    get: getCode(DATA_SET),
    list: listCode(DATA_SET),
    delete: removeCode(DATA_SET),
  }),
  ...childRoutes(INVITATION, {
    put: putCode(INVITATION, INVITATION_WRITING),
    get: getCode(INVITATION),
    list: listCode(INVITATION),
    delete: removeCode(INVITATION, async (tx, { uid }) => void (await tx.cancel(expiryId(uid)))),
  }),
  ...childRoutes(SETTING, {
    put: putCode(SETTING, SETTING_WRITING),
    get: getCode(SETTING),
    list: listCode(SETTING),
    delete: removeLaterCode(
      SETTING,
      'setting',
      () => NO_LOCATION,
      (tx, { share }) => stopTriggers(tx, share, 'SourceSynchronizationSettingDeleted'),
    ),
  }),
  ...childRoutes(CONSUMER, { get: getConsumer, list: listConsumers }),
  actionRoute(
    CONSUMER,
    { name: 'revoke', operation: 'Revoke', summary: 'Revokes the access of a consumer', shows: 'one' },
    revoke,
  ),
  actionRoute(
    CONSUMER,
    { name: 'reinstate', operation: 'Reinstate', summary: 'Reinstates the access of a revoked consumer', shows: 'one' },
    reinstate,
  ),
  actionRoute(
    CONSUMER,
    {
      name: 'adjust',
      operation: 'Adjust',
      summary: 'Changes the expiration of the access of a consumer',
      shows: 'one',
    },
    adjust,
  ),
  actionRoute(
    SHARE,
    {
      name: 'listSynchronizations',
      operation: 'ListSynchronizations',
      summary: 'The runs of all consumers of a share',
      isRead: true,
    },
    listOfShare,
  ),
  actionRoute(
    SHARE,
    {
      name: 'listSynchronizationDetails',
      operation: 'ListSynchronizationDetails',
      summary: 'The results of a run per data set, for the provider',
      isRead: true,
    },
    detailsOfShare,
  ),
];

const consumerRoutes: readonly Route[] = [
  ...childRoutes(SUBSCRIPTION, {
    put: putCode(SUBSCRIPTION, SUBSCRIPTION_WRITING),
    get: getCode(SUBSCRIPTION),
    list: listCode(SUBSCRIPTION),
    delete: removeLaterCode(SUBSCRIPTION, 'subscription', ({ home }) => home, forgetSubscription),
  }),
  ...childRoutes(SOURCE, { list: listSourceDataSets }),
  ...childRoutes(MAPPING, {
    put: putCode(MAPPING, MAPPING_WRITING),
    get: getCode(MAPPING),
    list: listCode(MAPPING),
    delete: removeCode(MAPPING, forgetMapping),
  }),
  ...childRoutes(TRIGGER, {
    put: putCode(TRIGGER, TRIGGER_WRITING),
    get: getCode(TRIGGER),
    list: listCode(TRIGGER),
    delete: removeLaterCode(
      TRIGGER,
      'trigger',
      () => NO_LOCATION,
      async (tx, { uid }) => void (await tx.cancel(fireId(uid))),
    ),
  }),
  actionRoute(
    SUBSCRIPTION,
    { name: 'synchronize', operation: 'Synchronize', summary: 'Begins a run that copies the shared data sets' },
    synchronize,
  ),
  actionRoute(
    SUBSCRIPTION,
    { name: 'cancelSynchronization', operation: 'CancelSynchronization', summary: 'Stops a run' },
    cancelSynchronization,
  ),
  actionRoute(
    SUBSCRIPTION,
    {
      name: 'listSynchronizations',
      operation: 'ListSynchronizations',
      summary: 'The runs of a share subscription',
      isRead: true,
    },
    listOfSubscription,
  ),
  actionRoute(
    SUBSCRIPTION,
    {
      name: 'listSynchronizationDetails',
      operation: 'ListSynchronizationDetails',
      summary: 'The results of a run per data set, for the consumer',
      isRead: true,
    },
    detailsOfSubscription,
  ),
  actionRoute(
    SUBSCRIPTION,
    {
      name: 'listSourceShareSynchronizationSettings',
      operation: 'ListSourceShareSynchronizationSettings',
      summary: 'The synchronization schedules of the source of a share subscription',
      isRead: true,
    },
    listSourceSettings,
  ),
  poll(
    'synchronizationOperationResults',
    'GetSynchronizationStatus',
    'The status of a run, as the status of an operation',
    runStatus,
  ),
  poll('shareSubscriptionSynchronizations', 'GetSynchronization', 'A run: 202 until its end', runResult),
];

function poll(segment: string, operation: string, summary: string, code: AnyArmCode): Route {
  return armRouteOf(
    {
      method: 'GET',
      path: `${pathTo(SUBSCRIPTION)}/${segment}/{synchronizationId}`,
      operation: `${SUBSCRIPTION.operations}_${operation}`,
      summary,
      action: `${NAMESPACE}/${TYPES.subscription}/${segment}/read`,
      resourceType: `${NAMESPACE}/${TYPES.subscription}`,
      anyVersion: true,
    },
    code,
  );
}

const LOCATION = `/providers/${NAMESPACE}/locations/{location}`;
const ofTenant = { tenantLevel: true, resourceType: `${NAMESPACE}/locations` } as const;
const versions = DATASHARE_VERSIONS.of(TYPES.consumerInvitation);

/** Operations of callers outside any subscription: on their invitations and their email addresses. */
const callerRoutes: readonly Route[] = [
  armRouteOf(
    {
      ...ofTenant,
      method: 'GET',
      path: `/providers/${NAMESPACE}/listInvitations`,
      operation: 'ConsumerInvitations_ListInvitations',
      summary: 'Pending invitations to the caller',
      action: `${NAMESPACE}/listInvitations/read`,
      versions,
      shows: 'list',
    },
    listInvitations,
  ),
  armRouteOf(
    {
      ...ofTenant,
      method: 'GET',
      path: `${LOCATION}/consumerInvitations/{invitationId}`,
      operation: 'ConsumerInvitations_Get',
      summary: 'An invitation to the caller',
      action: `${NAMESPACE}/locations/consumerInvitations/read`,
      versions,
      shows: 'one',
    },
    getInvitation,
  ),
  armRouteOf(
    {
      ...ofTenant,
      method: 'POST',
      path: `${LOCATION}/rejectInvitation`,
      operation: 'ConsumerInvitations_RejectInvitation',
      summary: 'Rejects an invitation',
      action: `${NAMESPACE}/locations/rejectInvitation/action`,
      versions,
      shows: 'one',
    },
    rejectInvitation,
  ),
  ...(
    [
      ['registerEmail', 'RegisterEmail', 'Registers an email address of the caller', registerEmail],
      ['activateEmail', 'ActivateEmail', 'Activates a registered email address with its code', activateEmail],
    ] as const
  ).map(([name, operation, summary, code]) =>
    armRouteOf(
      {
        ...ofTenant,
        method: 'POST',
        path: `${LOCATION}/${name}`,
        operation: `EmailRegistrations_${operation}`,
        summary,
        action: `${NAMESPACE}/locations/${name}/action`,
        versions: DATASHARE_VERSIONS.of('locations', `EmailRegistrations_${operation}`),
      },
      code,
    ),
  ),
  armRouteOf(
    {
      method: 'GET',
      path: `/subscriptions/{subscriptionId}/providers/${NAMESPACE}/locations/{location}/operationResults/{operationId}`,
      operation: 'DataShareOperations_GetResult',
      summary: 'The status of an operation: 202 until its end',
      action: `${NAMESPACE}/locations/operationResults/read`,
      resourceType: `${NAMESPACE}/locations`,
      anyVersion: true,
      isPoll: true,
    },
    operationResult,
  ),
];

const routes: readonly Route[] = [
  ...resourceRoutes(ACCOUNT_DEFINITION),
  ...providerRoutes,
  ...consumerRoutes,
  ...callerRoutes,
];

export const dataShareRoutes: readonly Route[] = [
  ...routes,
  operationsRoute({
    namespace: NAMESPACE,
    title: 'Vendor Data Share',
    operations: 'DataShareOperations',
    versions: DATASHARE_VERSIONS.of('operations'),
    routes,
  }),
];
