import {
  type ArmFacts,
  authorizeGroup,
  canonicalNamespace,
  mutate,
  type Provider,
  REGISTRATION_FREE,
  refusedAtGroup,
  type Subscription,
  subscriptions,
  unknownNamespace,
} from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute, type Call } from '../../../kernel/service/index.ts';
import { authorizationOf } from './authorizations.ts';
import { ListedTypeSchema, listOf, PermissionSchema, ProviderSchema, RegisterBody } from './schemas.ts';
import { listedType, providerView } from './view.ts';
import { FINISH_REGISTRATION, registrationId } from './work-items.ts';

const PROVIDER = '/subscriptions/{subscriptionId}/providers/{namespace}';
const READ = 'Vendor.Resources/subscriptions/providers/read';
const READ_TENANT = 'Vendor.Resources/providers/read';

export const providerRoutes: readonly Route[] = [
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/providers',
    operation: 'Providers_List',
    summary: "The resource providers, with the subscription's registration state",
    action: READ,
    responses: { 200: listOf(ProviderSchema) },
    handle: (call, arm) => ok({ value: call.jar.providers.map((provider) => providerView(provider, arm)) }),
  }),
  armRoute({
    method: 'GET',
    path: PROVIDER,
    operation: 'Providers_Get',
    summary: 'One resource provider',
    action: READ,
    responses: { 200: ProviderSchema },
    handle: (call, arm) => ok(providerView(findProvider(call), arm)),
  }),
  armRoute({
    method: 'GET',
    path: '/providers',
    operation: 'Providers_ListAtTenantScope',
    summary: 'The resource providers, independent of a subscription',
    action: READ_TENANT,
    tenantLevel: true,
    responses: { 200: listOf(ProviderSchema) },
    handle: (call, arm) => ok({ value: call.jar.providers.map((provider) => providerView(provider, arm)) }),
  }),
  armRoute({
    method: 'GET',
    path: '/providers/{namespace}',
    operation: 'Providers_GetAtTenantScope',
    summary: 'One resource provider, independent of a subscription',
    action: READ_TENANT,
    tenantLevel: true,
    responses: { 200: ProviderSchema },
    handle: (call, arm) => ok(providerView(findProvider(call), arm)),
  }),
  armRoute({
    method: 'GET',
    path: `${PROVIDER}/resourceTypes`,
    operation: 'ProviderResourceTypes_List',
    summary: 'The resource types of a provider',
    action: READ,
    responses: { 200: listOf(ListedTypeSchema) },
    handle: (call) => ok({ value: findProvider(call).types.map(listedType) }),
  }),
  armRoute({
    method: 'GET',
    path: `${PROVIDER}/providerPermissions`,
    operation: 'Providers_ProviderPermissions',
    summary: 'The applications with which a provider acts, and their roles',
    action: READ,
    responses: { 200: listOf(PermissionSchema) },
    handle(call, arm) {
      const { applicationId, roleDefinitionId: name } = authorizationOf(findProvider(call).namespace);
      const { subscriptionId } = arm.subscription as Subscription;
      const id = `/subscriptions/${subscriptionId}/providers/${arm.prefix}.Authorization/roleDefinitions/${name}`;
      const role = { id, name };
      const consent = { providerAuthorizationConsentState: 'NotRequired' };
      return ok({ value: [{ applicationId, roleDefinition: role, managedByRoleDefinition: role, ...consent }] });
    },
  }),
  armRoute({
    method: 'POST',
    path: `${PROVIDER}/register`,
    operation: 'Providers_Register',
    summary: 'Registers a subscription for a resource provider; the registration continues after the answer',
    action: 'Vendor.Resources/subscriptions/providers/register/action',
    body: RegisterBody,
    bodyOptional: true,
    responses: { 200: ProviderSchema },
    handle: (call, arm) => setRegistration(call, arm, 'Registering'),
  }),
  armRoute({
    method: 'POST',
    path: `${PROVIDER}/unregister`,
    operation: 'Providers_Unregister',
    summary: 'Unregisters a subscription from a resource provider',
    action: 'Vendor.Resources/subscriptions/providers/unregister/action',
    responses: { 200: ProviderSchema },
    handle: (call, arm) => setRegistration(call, arm, 'Unregistering'),
  }),
  armRoute({
    method: 'POST',
    path: '/providers/Vendor.Management/managementGroups/{groupId}/providers/{namespace}/register',
    operation: 'Providers_RegisterAtManagementGroupScope',
    summary: 'Registers a provider at a management group; subscriptions below it keep their own registrations',
    action: 'Vendor.Management/managementGroups/register/action',
    tenantLevel: true,
    responses: { 200: 'Registered' },
    admit: (call) => authorizeGroup(call, call.params.groupId),
    async handle(call, arm) {
      findProvider(call);
      if (!arm.managementGroup) throw refusedAtGroup(call, call.params.groupId);
      await mutate(call, async () => {});
      return { status: 200 };
    },
  }),
];

type ProviderCall = Call<{ readonly namespace: string }>;

export function findProvider({ jar, params }: ProviderCall): Provider {
  const namespace = canonicalNamespace(params.namespace, jar.config.namespace).toLowerCase();
  const found = jar.providers.find((provider) => provider.namespace.toLowerCase() === namespace);
  if (!found) throw unknownNamespace(jar, params.namespace);
  return found;
}

/** Starts a registration or unregistration, unless it would change nothing. Due work completes it. */
async function setRegistration(call: ProviderCall, arm: ArmFacts, wanted: 'Registering' | 'Unregistering') {
  const provider = findProvider(call);
  const namespace = provider.namespace.toLowerCase();
  const subscription = arm.subscription as Subscription;
  const updated = await mutate(call, async (tx) => {
    const key = subscription.subscriptionId.toLowerCase();
    const current = (await tx.get(subscriptions, key))?.value ?? subscription;
    const { [namespace]: state, ...others } = current.registrations;
    const isDone = wanted === 'Registering' ? state === 'Registered' : state === undefined || state === 'Unregistered';
    if (isDone || state === wanted || REGISTRATION_FREE.has(namespace)) return current;
    const changed: Subscription = { ...current, registrations: { ...others, [namespace]: wanted } };
    await tx.put(subscriptions, key, changed);
    const payload = { subscriptionId: key, namespace };
    await tx.schedule(FINISH_REGISTRATION.at(call.jar.clock.now(), payload, registrationId(payload)));
    return changed;
  });
  return ok(providerView(provider, { ...arm, subscription: updated }));
}
