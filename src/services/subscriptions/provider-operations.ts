import { Type } from 'typebox';
import { withPrefix } from '../../kernel/arm/index.ts';
import { ok, type Route } from '../../kernel/http/index.ts';
import { armRoute } from './jar.ts';
import { NAMESPACE } from './names.ts';
import { VERSIONS } from './version-table.ts';

/** The permissions of the provider, and what each of them allows. */
export const PERMISSIONS: readonly (readonly [resource: string, operation: string, description: string])[] = [
  ['aliases', 'read', 'Reads subscription aliases'],
  ['aliases', 'write', 'Creates subscriptions by an alias'],
  ['aliases', 'delete', 'Deletes subscription aliases'],
  ['cancel', 'action', 'Cancels a subscription'],
  ['enable', 'action', 'Enables a cancelled subscription'],
  ['rename', 'action', 'Renames a subscription'],
  ['acceptOwnership', 'action', 'Accepts the ownership of a subscription'],
  ['acceptOwnershipStatus', 'read', 'Reads whether a subscription was accepted'],
  ['subscriptionOperations', 'read', 'Reads how an acceptance goes'],
  ['policies', 'read', 'Reads subscription policies'],
  ['policies', 'write', 'Changes the subscription policy of a tenant'],
];

const text = Type.String();

export const operationRoutes: readonly Route[] = [
  armRoute({
    method: 'GET',
    path: `/providers/${NAMESPACE}/operations`,
    operation: 'Operations_List',
    summary: 'The operations of the provider',
    action: `${NAMESPACE}/operations/read`,
    resourceType: `${NAMESPACE}/operations`,
    versions: VERSIONS.of('operations'),
    tenantLevel: true,
    responses: {
      200: Type.Object({
        value: Type.Array(
          Type.Object({
            name: text,
            isDataAction: Type.Boolean(),
            display: Type.Object({ provider: text, resource: text, operation: text, description: text }),
          }),
        ),
      }),
    },
    handle(_call, { prefix }) {
      const provider = withPrefix(NAMESPACE, prefix);
      const value = PERMISSIONS.map(([resource, operation, description]) => ({
        name: `${provider}/${resource}/${operation}`,
        isDataAction: false,
        display: { provider, resource, operation, description },
      }));
      return ok({ value });
    },
  }),
];
