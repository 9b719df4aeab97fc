import { Type } from 'typebox';
import { type ArmFacts, type Operation, operations, TagsSchema, withPrefix } from '../../../kernel/arm/index.ts';
import { knownOrigin } from '../../../kernel/auth/index.ts';
import { ApiError, accepted, ok, type Route } from '../../../kernel/http/index.ts';
import { awaitCommit, readCached } from '../../../kernel/store/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { creations } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import { armRoute, type SubscriptionsCall } from '../jar.ts';
import { NAMESPACE, operationPath } from '../names.ts';
import { callerOf, isSame } from '../roles.ts';
import { STATES } from '../states.ts';
import { VERSIONS } from '../version-table.ts';
import { ACCEPT_BODY, acceptOwnership, readAcceptance } from './accept.ts';
import { offeredTo } from './find.ts';

/** Polling interval in seconds, as in the real service. */
const RETRY_AFTER = '8';

/**
 * Maximum time that the answer to a poll is held back while the operation runs. Acceptance takes milliseconds; the client would otherwise
 * wait seconds until its next poll.
 */
const HELD_MS = 1000;

const SUBSCRIPTION = `/providers/${NAMESPACE}/subscriptions/{subscriptionId}` as const;

const StatusSchema = Type.Object({
  subscriptionId: Type.String(),
  acceptOwnershipState: Type.Enum(Object.keys(STATES.acceptOwnershipState)),
  provisioningState: Type.Enum(Object.keys(STATES.provisioningState)),
  billingOwner: Type.String(),
  subscriptionTenantId: Type.String(),
  displayName: Type.String(),
  tags: Type.Optional(TagsSchema),
});

export const ownershipRoutes: readonly Route[] = [
  armRoute({
    method: 'POST',
    path: `${SUBSCRIPTION}/acceptOwnership`,
    operation: 'Subscription_AcceptOwnership',
    summary: 'Accepts a subscription that was created for the caller',
    action: `${NAMESPACE}/acceptOwnership/action`,
    resourceType: `${NAMESPACE}/acceptOwnership`,
    versions: VERSIONS.of('acceptOwnership'),
    tenantLevel: true,
    body: ACCEPT_BODY.schema(),
    responses: { 202: 'Accepted; Location has the address to poll for the outcome' },
    async admit(call) {
      await offeredTo(call, call.params.subscriptionId, 'accept');
    },
    async handle(call, arm) {
      const creation = await offeredTo(call, call.params.subscriptionId, 'accept');
      const given = readAcceptance(call.body, call.jar.config.namespace);
      return accepted(pollHeaders(call, arm, await acceptOwnership(call, creation, given)));
    },
  }),
  armRoute({
    method: 'GET',
    path: `${SUBSCRIPTION}/acceptOwnershipStatus`,
    operation: 'Subscription_AcceptOwnershipStatus',
    summary: 'The acceptance status of a subscription',
    action: `${NAMESPACE}/acceptOwnershipStatus/read`,
    resourceType: `${NAMESPACE}/acceptOwnershipStatus`,
    versions: VERSIONS.of('acceptOwnershipStatus'),
    tenantLevel: true,
    responses: { 200: StatusSchema },
    async handle(call) {
      const creation = await offeredTo(call, call.params.subscriptionId, 'read');
      const { subscriptionId, tenantId, requested, acceptance, origin } = creation;
      const { acceptOwnershipState, provisioningState } = creation;
      return ok(
        omitAbsent({
          subscriptionId,
          acceptOwnershipState,
          provisioningState,
          billingOwner: origin.caller.name,
          subscriptionTenantId: tenantId,
          displayName: acceptance?.displayName ?? requested.displayName,
          tags: acceptance?.tags ?? requested.tags,
        }),
      );
    },
  }),
  armRoute({
    method: 'GET',
    path: `/providers/${NAMESPACE}/subscriptionOperations/{operationId}`,
    operation: 'SubscriptionOperation_Get',
    summary: "The status of a subscription's acceptance operation",
    action: `${NAMESPACE}/subscriptionOperations/read`,
    anyVersion: true,
    tenantLevel: true,
    responses: { 200: Type.Object({ subscriptionLink: Type.String() }), 202: 'Not done yet' },
    async handle(call, arm) {
      const { id, status, result, error } = await operationAtItsEnd(call, call.params.operationId);
      if (status === 'InProgress') return accepted(pollHeaders(call, arm, id));
      if (error) throw new ApiError(409, error.code, error.message);
      return ok(result);
    },
  }),
];

function pollHeaders(call: SubscriptionsCall, { prefix, apiVersion }: ArmFacts, operation: string) {
  const path = withPrefix(operationPath(operation), prefix);
  return { location: `${knownOrigin(call)}${path}?api-version=${apiVersion}`, 'retry-after': RETRY_AFTER };
}

async function operationAtItsEnd(call: SubscriptionsCall, id: string): Promise<Operation> {
  const { store, closing } = call.jar;
  let operation = await ownOperation(call, id);
  const waiting = { store, collection: operations, ms: HELD_MS, signals: [closing, call.signal] };
  await awaitCommit(waiting, async () => {
    if (operation.status === 'InProgress') operation = await ownOperation(call, id);
    return operation.status !== 'InProgress';
  });
  return operation;
}

/** Only the accepting owner may poll the operation. */
async function ownOperation(call: SubscriptionsCall, id: string): Promise<Operation> {
  const { store } = call.jar;
  const operation = (await readCached(store, operations, id.toLowerCase()))?.value;
  const creation = (await store.get(creations, operation?.subscriptionId ?? ''))?.value;
  if (operation && creation && isSame(creation.ownerId, callerOf(call).objectId)) return operation;
  throw subscriptionErrors.SubscriptionOperationNotFound({ operation: id });
}
