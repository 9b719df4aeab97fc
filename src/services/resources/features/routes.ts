import { Type } from 'typebox';
import {
  type ArmFacts,
  FEATURES_API_VERSIONS,
  mutate,
  type Subscription,
  subscriptionPath,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute, type Call } from '../../../kernel/service/index.ts';
import { FEATURES, type Feature } from './catalogue.ts';
import type { FeatureRegistration } from './collections.ts';
import { featuresOf, findFeature, registrationOf } from './find.ts';
import { register, unregister } from './registration.ts';

const ROOT = '/subscriptions/{subscriptionId}/providers/Vendor.Features';
const OF_PROVIDER = `${ROOT}/providers/{namespace}/features` as const;
const ONE = `${OF_PROVIDER}/{feature}` as const;
const TYPE = 'Vendor.Features/providers/features';
/** Permissions and api-versions are those of the type that the provider document lists. */
const ACTION = 'Vendor.Features/providers/features';
const common = { resourceType: 'Vendor.Features/features', apiVersions: FEATURES_API_VERSIONS } as const;

const text = Type.String();
const FeatureSchema = Type.Object({
  id: text,
  type: text,
  name: text,
  properties: Type.Object({ state: text }),
});
const ListSchema = Type.Object({ value: Type.Array(FeatureSchema), nextLink: Type.Optional(text) });

export const featureRoutes: readonly Route[] = [
  armRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/features`,
    operation: 'Features_ListAll',
    summary: "The features of all providers, with the subscription's registration state",
    action: 'Vendor.Features/features/read',
    responses: { 200: ListSchema },
    handle: (call, arm) => list(call, arm, FEATURES),
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: OF_PROVIDER,
    operation: 'Features_List',
    summary: 'The features of one provider',
    action: `${ACTION}/read`,
    responses: { 200: ListSchema },
    handle: (call, arm) => list(call, arm, featuresOf(call, call.params.namespace)),
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: ONE,
    operation: 'Features_Get',
    summary: 'One feature',
    action: `${ACTION}/read`,
    responses: { 200: FeatureSchema },
    async handle(call, arm) {
      const feature = findFeature(call, call.params);
      return ok(featureView(feature, await registrationOf(call.jar.store, arm, feature), arm));
    },
  }),
  armRoute({
    ...common,
    method: 'POST',
    path: `${ONE}/register`,
    operation: 'Features_Register',
    summary: 'Registers the subscription for a feature',
    action: `${ACTION}/register/action`,
    responses: { 200: FeatureSchema },
    handle: (call, arm) => change(call, arm, register),
  }),
  armRoute({
    ...common,
    method: 'POST',
    path: `${ONE}/unregister`,
    operation: 'Features_Unregister',
    summary: 'Unregisters the subscription from a feature',
    action: `${ACTION}/unregister/action`,
    responses: { 200: FeatureSchema },
    handle: (call, arm) => change(call, arm, unregister),
  }),
];

type FeatureCall = Call<{ readonly namespace: string; readonly feature: string }>;

async function change(call: FeatureCall, arm: ArmFacts, how: typeof register) {
  const feature = findFeature(call, call.params);
  const { subscriptionId } = arm.subscription as Subscription;
  const registration = await mutate(call, (tx) => how(tx, subscriptionId, feature, call.jar.clock.now()));
  return ok(featureView(feature, registration, arm));
}

async function list(call: Pick<Call, 'jar'>, arm: ArmFacts, features: readonly Feature[]) {
  const views = features.map(async (each) => featureView(each, await registrationOf(call.jar.store, arm, each), arm));
  return ok({ value: await Promise.all(views) });
}

function featureView(
  { namespace, name }: Feature,
  registration: FeatureRegistration | undefined,
  { prefix, subscription }: ArmFacts,
): Record<string, unknown> {
  const root = subscriptionPath((subscription as Subscription).subscriptionId);
  const spoken = withPrefix(namespace, prefix);
  return {
    properties: { state: registration?.state ?? 'NotRegistered' },
    id: `${root}/providers/${prefix}.Features/providers/${spoken}/features/${name}`,
    type: withPrefix(TYPE, prefix),
    name: `${spoken}/${name}`,
  };
}
