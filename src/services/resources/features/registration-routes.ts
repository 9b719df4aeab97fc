import { Type } from 'typebox';
import { type ArmFacts, mutate, type Subscription, subscriptionPath, withPrefix } from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute, type Call } from '../../../kernel/service/index.ts';
import { FEATURES, type Feature } from './catalogue.ts';
import type { FeatureRegistration } from './collections.ts';
import { featuresOf, findFeature, registrationOf } from './find.ts';
import { registerAtOnce, unregister } from './registration.ts';

const ROOT = '/subscriptions/{subscriptionId}/providers/Vendor.Features';
const WORD = 'subscriptionFeatureRegistrations';
const OF_PROVIDER = `${ROOT}/featureProviders/{namespace}/${WORD}` as const;
const ONE = `${OF_PROVIDER}/{feature}` as const;
const TYPE = `Vendor.Features/featureProviders/${WORD}`;
/** The api-version that introduced registrations as resources. */
const common = { resourceType: `Vendor.Features/${WORD}`, apiVersions: ['2021-07-01'] } as const;

const text = Type.String();
const RegistrationSchema = Type.Object({
  id: text,
  name: text,
  type: text,
  properties: Type.Object({
    subscriptionId: text,
    featureName: text,
    providerNamespace: text,
    state: text,
    releaseDate: text,
    approvalType: text,
    registrationDate: Type.Optional(text),
    shouldFeatureDisplayInPortal: Type.Boolean(),
  }),
});
const ListSchema = Type.Object({ value: Type.Array(RegistrationSchema), nextLink: Type.Optional(text) });

/** Feature registrations as resources. Every feature has a registration in some state, so none is ever missing. */
export const registrationRoutes: readonly Route[] = [
  armRoute({
    ...common,
    method: 'PUT',
    path: ONE,
    operation: 'SubscriptionFeatureRegistrations_CreateOrUpdate',
    summary: 'Registers the subscription for a feature',
    action: `${TYPE}/write`,
    body: Type.Object({}),
    bodyOptional: true,
    responses: { 200: RegistrationSchema },
    async handle(call, arm) {
      const feature = findFeature(call, call.params);
      const { subscriptionId } = arm.subscription as Subscription;
      const registration = await mutate(call, (tx) =>
        registerAtOnce(tx, subscriptionId, feature, call.jar.clock.now()),
      );
      // The real service answers a PUT with a bare name and a lower-case type, and other requests with the full form.
      const view = registrationView(feature, registration, arm);
      return ok({ ...view, name: feature.name, type: withPrefix(TYPE, arm.prefix).toLowerCase() });
    },
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: ONE,
    operation: 'SubscriptionFeatureRegistrations_Get',
    summary: 'The registration of the subscription for one feature',
    action: `${TYPE}/read`,
    responses: { 200: RegistrationSchema },
    async handle(call, arm) {
      const feature = findFeature(call, call.params);
      return ok(registrationView(feature, await registrationOf(call.jar.store, arm, feature), arm));
    },
  }),
  armRoute({
    ...common,
    method: 'DELETE',
    path: ONE,
    operation: 'SubscriptionFeatureRegistrations_Delete',
    summary: 'Unregisters a feature, if it is registered',
    action: `${TYPE}/delete`,
    responses: { 200: 'Ended' },
    async handle(call, arm) {
      const feature = findFeature(call, call.params);
      const { subscriptionId } = arm.subscription as Subscription;
      await mutate(call, async (tx) => {
        if (await registrationOf(tx, arm, feature)) await unregister(tx, subscriptionId, feature, call.jar.clock.now());
      });
      return { status: 200 };
    },
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: OF_PROVIDER,
    operation: 'SubscriptionFeatureRegistrations_ListBySubscription',
    summary: 'The registrations for the features of one provider, whatever their state',
    action: `${TYPE}/read`,
    responses: { 200: ListSchema },
    handle: (call, arm) => list(call, arm, featuresOf(call, call.params.namespace)),
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/${WORD}`,
    operation: 'SubscriptionFeatureRegistrations_ListAllBySubscription',
    summary: 'The registrations of the subscription for the features of all providers, whatever their state',
    action: `${TYPE}/read`,
    responses: { 200: ListSchema },
    handle: (call, arm) => list(call, arm, FEATURES),
  }),
];

async function list(call: Pick<Call, 'jar'>, arm: ArmFacts, features: readonly Feature[]) {
  const views = features.map(async (each) =>
    registrationView(each, await registrationOf(call.jar.store, arm, each), arm),
  );
  return ok({ value: await Promise.all(views) });
}

function registrationView(
  { namespace, name, approval, releaseDate }: Feature,
  registration: FeatureRegistration | undefined,
  { prefix, subscription }: ArmFacts,
): Record<string, unknown> {
  const { subscriptionId } = subscription as Subscription;
  const spoken = withPrefix(namespace, prefix);
  const root = `${subscriptionPath(subscriptionId)}/providers/${prefix}.Features`;
  const at = registration?.registeredAt;
  return {
    id: `${root}/featureProviders/${spoken}/${WORD}/${name}`,
    name: `${spoken}/${name}`,
    type: withPrefix(TYPE, prefix),
    properties: {
      subscriptionId,
      featureName: name,
      providerNamespace: spoken,
      state: registration?.state ?? 'NotRegistered',
      releaseDate,
      approvalType: approval,
      ...(at !== undefined && { registrationDate: new Date(at).toISOString() }),
      shouldFeatureDisplayInPortal: false,
    },
  };
}
