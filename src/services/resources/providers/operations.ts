import { Type } from 'typebox';
import {
  type ArmFacts,
  operationRow,
  type Permission,
  PROVIDER_OPERATIONS_API_VERSIONS,
  type Provider,
  queryValue,
  spokenText,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute, type Call } from '../../../kernel/service/index.ts';
import { findProvider } from './routes.ts';
import { listOf, OperationRowSchema, ProviderOperationsSchema } from './schemas.ts';

const TYPE = 'Vendor.Authorization/providerOperations';
const common = {
  method: 'GET',
  action: `${TYPE}/read`,
  resourceType: TYPE,
  apiVersions: PROVIDER_OPERATIONS_API_VERSIONS,
  tenantLevel: true,
} as const;

/** Operations of providers, as the permissions that their routes require. */
export const operationRoutes: readonly Route[] = [
  armRoute({
    method: 'GET',
    path: '/providers/{namespace}/operations',
    operation: 'ProviderOperations_ListOfNamespace',
    summary: 'The operations of a provider that has no list of its own',
    action: 'Vendor.Resources/providers/operations/read',
    // Clients use an api-version of the provider.
    anyVersion: true,
    tenantLevel: true,
    responses: { 200: listOf(OperationRowSchema) },
    async handle(call, { prefix }) {
      const { namespace } = findProvider(call);
      const permissions = await call.jar.permissions.of(namespace);
      return ok({ value: permissions.map((each) => operationRow(each, titleOf(namespace), prefix)) });
    },
  }),
  armRoute({
    ...common,
    path: `/providers/${TYPE}`,
    operation: 'ProviderOperationsMetadata_List',
    summary: 'The operations of all providers; with $expand=resourceTypes, by resource type',
    query: Type.Object({ $expand: Type.Optional(Type.String()) }),
    responses: { 200: listOf(ProviderOperationsSchema) },
    async handle(call, arm) {
      const value: unknown[] = [];
      for (const provider of call.jar.providers) value.push(await metadata(call, arm, provider));
      return ok({ value });
    },
  }),
  armRoute({
    ...common,
    path: `/providers/${TYPE}/{namespace}`,
    operation: 'ProviderOperationsMetadata_Get',
    summary: 'The operations of one provider; with $expand=resourceTypes, by resource type',
    query: Type.Object({ $expand: Type.Optional(Type.String()) }),
    responses: { 200: ProviderOperationsSchema },
    handle: async (call, arm) => ok(await metadata(call, arm, findProvider(call))),
  }),
];

const titleOf = (namespace: string): string => namespace.replace('.', ' ');

async function metadata(
  call: Pick<Call, 'jar' | 'query'>,
  { prefix }: ArmFacts,
  { namespace, types }: Provider,
): Promise<Record<string, unknown>> {
  const permissions = await call.jar.permissions.of(namespace);
  const names = types.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const byType = Map.groupBy(permissions, ({ action }) => typeIn(action.slice(namespace.length + 1), names));
  const expands = (queryValue(call, '$expand') ?? '').toLowerCase() === 'resourcetypes';
  const view = (each: Permission) => operationView(each, prefix);
  const ofTypes = [...byType].flatMap(([name, list]) =>
    name === undefined ? [] : [{ name, displayName: name, operations: list.map(view) }],
  );
  const own = byType.get(undefined) ?? [];
  const spoken = withPrefix(namespace, prefix);
  return {
    id: `/providers/${withPrefix(TYPE, prefix)}/${spoken}`,
    name: spoken,
    type: withPrefix(TYPE, prefix),
    displayName: titleOf(spoken),
    resourceTypes: expands ? ofTypes : [],
    operations: own.map(view),
  };
}

/** The type that a permission refers to: the longest type name that is a prefix of it. */
function typeIn(permission: string, longestFirst: readonly string[]): string | undefined {
  const lower = permission.toLowerCase();
  return longestFirst.find((name) => lower.startsWith(`${name.toLowerCase()}/`));
}

function operationView({ action, summary }: Permission, prefix: string): Record<string, unknown> {
  const words = spokenText(summary, prefix);
  return {
    name: withPrefix(action, prefix),
    displayName: words,
    description: words,
    origin: 'user,system',
    properties: null,
    isDataAction: false,
  };
}
