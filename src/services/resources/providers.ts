import {
  type ArmFacts,
  canonicalNamespace,
  mutate,
  type Provider,
  REGIONS,
  type Subscription,
  subscriptions,
  unknownNamespace,
} from '../../kernel/arm/index.ts';
import { ok, type Route } from '../../kernel/http/index.ts';
import { armRoute, type Call } from '../../kernel/service/index.ts';
import { ProviderListSchema, ProviderSchema } from './schemas.ts';

const PROVIDER = '/subscriptions/{subscriptionId}/providers/{namespace}';

/** Namespaces that every subscription has, and that cannot be taken from it. */
const ALWAYS_REGISTERED = new Set(['vendor.resources']);

export const providerRoutes: readonly Route[] = [
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/providers',
    operation: 'Providers_List',
    summary: 'The resource providers, and whether the subscription may use them',
    action: 'Vendor.Resources/subscriptions/providers/read',
    responses: { 200: ProviderListSchema },
    handle: (call, arm) => ok({ value: call.jar.providers.map((provider) => providerView(provider, arm)) }),
  }),
  armRoute({
    method: 'GET',
    path: PROVIDER,
    operation: 'Providers_Get',
    summary: 'One resource provider',
    action: 'Vendor.Resources/subscriptions/providers/read',
    responses: { 200: ProviderSchema },
    handle: (call, arm) => ok(providerView(findProvider(call), arm)),
  }),
  armRoute({
    method: 'POST',
    path: `${PROVIDER}/register`,
    operation: 'Providers_Register',
    summary: 'Lets a subscription use a resource provider',
    action: 'Vendor.Resources/subscriptions/providers/register/action',
    responses: { 200: ProviderSchema },
    handle: (call, arm) => setRegistration(call, arm, 'Registered'),
  }),
  armRoute({
    method: 'POST',
    path: `${PROVIDER}/unregister`,
    operation: 'Providers_Unregister',
    summary: 'Stops a subscription from using a resource provider',
    action: 'Vendor.Resources/subscriptions/providers/unregister/action',
    responses: { 200: ProviderSchema },
    handle: (call, arm) => setRegistration(call, arm, undefined),
  }),
];

type ProviderCall = Call<{ subscriptionId: string; namespace: string }>;

function findProvider(call: ProviderCall): Provider {
  const namespace = canonicalNamespace(call.params.namespace, call.jar.config.namespace).toLowerCase();
  const found = call.jar.providers.find((provider) => provider.namespace.toLowerCase() === namespace);
  if (!found) throw unknownNamespace(call.jar, call.params.namespace);
  return found;
}

async function setRegistration(call: ProviderCall, arm: ArmFacts, state: 'Registered' | undefined) {
  const provider = findProvider(call);
  const namespace = provider.namespace.toLowerCase();
  const subscription = arm.subscription as Subscription;
  const updated = await mutate(call, async (tx) => {
    const key = subscription.subscriptionId.toLowerCase();
    const current = (await tx.get(subscriptions, key))?.value ?? subscription;
    const { [namespace]: _removed, ...others } = current.registrations;
    const kept = state ?? (ALWAYS_REGISTERED.has(namespace) ? 'Registered' : undefined);
    const changed = { ...current, registrations: kept === undefined ? others : { ...others, [namespace]: kept } };
    await tx.put(subscriptions, key, changed);
    return changed;
  });
  return ok(providerView(provider, { ...arm, subscription: updated }));
}

function providerView(provider: Provider, arm: ArmFacts): Record<string, unknown> {
  const subscription = arm.subscription as Subscription;
  const namespace = provider.namespace.replace(/^Vendor\./, `${arm.prefix}.`);
  return {
    id: `/subscriptions/${subscription.subscriptionId}/providers/${namespace}`,
    namespace,
    registrationPolicy: 'RegistrationRequired',
    registrationState: subscription.registrations[provider.namespace.toLowerCase()] ?? 'NotRegistered',
    resourceTypes: provider.types.map((type) => ({
      resourceType: type.name,
      locations: (type.locations ?? REGIONS.map(({ name }) => name)).map(displayName),
      apiVersions: type.apiVersions,
      defaultApiVersion: type.apiVersions.find((version) => !version.endsWith('-preview')) ?? type.apiVersions[0],
      capabilities: type.tracked ? 'SupportsTags, SupportsLocation' : 'None',
    })),
  };
}

const displayName = (name: string): string => REGIONS.find((region) => region.name === name)?.displayName ?? name;
