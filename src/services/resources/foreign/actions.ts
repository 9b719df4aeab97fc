import { createHmac } from 'node:crypto';
import { type ArmFacts, gatewayErrors, idOf, resources } from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute, type Call } from '../../../kernel/service/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import type { ForeignType } from './rows.ts';

interface Action {
  readonly type: string;
  readonly name: string;
  readonly summary: string;
  answer(key: (name: string) => string): Record<string, unknown>;
}

/** Actions that return keys, which clients request on the way to something else. The keys of a record open nothing. */
const ACTIONS: readonly Action[] = [
  {
    type: 'Vendor.OperationalInsights/workspaces',
    name: 'sharedKeys',
    summary: 'The keys of a log analytics workspace',
    answer: (key) => ({ primarySharedKey: key('primary'), secondarySharedKey: key('secondary') }),
  },
  {
    type: 'Vendor.Storage/storageAccounts',
    name: 'listKeys',
    summary: 'The keys of a storage account',
    answer: (key) => ({
      keys: ['key1', 'key2'].map((name) => ({ keyName: name, value: key(name), permissions: 'FULL' })),
    }),
  },
];

const PARAMS = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers';

export const foreignActions = (types: readonly ForeignType[]): readonly Route[] =>
  ACTIONS.flatMap((action) => {
    const type = types.find(({ type }) => type === action.type);
    return type ? [actionRoute(action, type)] : [];
  });

const actionRoute = ({ type, name, summary, answer }: Action, { apiVersions, ...head }: ForeignType): Route =>
  armRoute({
    method: 'POST',
    path: `${PARAMS}/${type as 'Vendor.X/y'}/{resourceName}/${name}`,
    operation: `${type.slice(type.lastIndexOf('/') + 1)}_${name}`,
    summary,
    action: `${type}/${name}/action`,
    resourceType: type,
    apiVersions,
    responses: { 200: 'The keys' },
    async handle(call, arm) {
      const secret = await secretOf(call, arm, { ...head, apiVersions });
      return ok(answer((purpose) => createHmac('sha256', secret).update(purpose).digest('base64')));
    },
  });

/** Keys are derived, so no secret is stored; a resource that is recreated under the same name gets other keys. */
async function secretOf(call: Call<Parameters<typeof idOf>[1]>, arm: ArmFacts, type: ForeignType): Promise<Buffer> {
  const { resourceName: name, resourceGroupName: group } = call.params;
  const stored = await readCached(call.jar.store, resources, idOf(type, call.params, arm).toLowerCase());
  if (!stored) throw gatewayErrors.ResourceNotFound({ type: type.type, name, group });
  const { createdAt, subscriptionId } = stored.value;
  const key = call.jar.vault.deriveKey('keys of records');
  return createHmac('sha256', key).update(`${subscriptionId}/${type.type}/${name}/${createdAt}`.toLowerCase()).digest();
}
