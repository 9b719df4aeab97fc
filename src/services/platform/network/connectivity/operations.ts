import { ok } from '../../../../kernel/http/index.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import {
  createConfiguration,
  deleteConfiguration,
  findConfiguration,
  listConfigurations,
  viewOf,
} from './configurations.ts';
import {
  createPolicy,
  deletePolicy,
  getNetworkOption,
  getPolicy,
  listPolicies,
  replacePolicy,
  setNetworkOption,
} from './policies.ts';
import { changeRule, createRule, deleteRule, getRule, listRules } from './rules.ts';

const ACCOUNT = '/accounts/{account_id}';
const CONFIGURATIONS = `${ACCOUNT}/network-connectivity-configs`;
const CONFIGURATION = `${CONFIGURATIONS}/{ncc_id}`;
const RULES = `${CONFIGURATION}/private-endpoint-rules`;
const RULE = `${RULES}/{rule_id}`;
const POLICIES = `${ACCOUNT}/network-policies`;
const POLICY = `${POLICIES}/{network_policy_id}`;
const OPTION = `${ACCOUNT}/workspaces/{workspace_id}/network`;

type Head = Pick<Operation, 'operation' | 'summary'>;

/** A row whose handler receives the path parameters after the account, in order. */
const row = (
  method: Operation['method'],
  path: string,
  head: Head,
  act: (call: PlatformCall, ...ids: string[]) => Promise<unknown>,
): Operation => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string).slice(1);
  return {
    method,
    path,
    ...head,
    code: routeCode(names, {
      handle: async (call) =>
        ok((await act(call, ...names.map((name) => (call.params as Record<string, string>)[name] ?? ''))) ?? {}),
    }),
  };
};

/** Network access of an account's serverless compute. */
export const CONNECTIVITY_OPERATIONS: readonly Operation[] = [
  row(
    'POST',
    CONFIGURATIONS,
    { operation: 'networkConnectivity_create', summary: 'Create a network connectivity configuration' },
    async (call) => viewOf(call.jar.store, await createConfiguration(call)),
  ),
  row(
    'GET',
    CONFIGURATIONS,
    { operation: 'networkConnectivity_list', summary: 'List the network connectivity configurations of an account' },
    listConfigurations,
  ),
  row(
    'GET',
    CONFIGURATION,
    { operation: 'networkConnectivity_get', summary: 'Read a network connectivity configuration' },
    async (call, id = '') => viewOf(call.jar.store, await findConfiguration(call.jar.store, call, id)),
  ),
  row(
    'DELETE',
    CONFIGURATION,
    { operation: 'networkConnectivity_delete', summary: 'Delete a network connectivity configuration' },
    (call, id = '') => deleteConfiguration(call, id),
  ),
  row(
    'POST',
    RULES,
    { operation: 'privateEndpointRules_create', summary: 'Create a private endpoint' },
    (call, configuration = '') => createRule(call, configuration),
  ),
  row(
    'GET',
    RULES,
    { operation: 'privateEndpointRules_list', summary: 'List the private endpoints of a configuration' },
    (call, configuration = '') => listRules(call, configuration),
  ),
  row(
    'GET',
    RULE,
    { operation: 'privateEndpointRules_get', summary: 'Read a private endpoint' },
    (call, configuration = '', id = '') => getRule(call, configuration, id),
  ),
  row(
    'PATCH',
    RULE,
    { operation: 'privateEndpointRules_update', summary: 'Change the names that a private endpoint serves' },
    (call, configuration = '', id = '') => changeRule(call, configuration, id),
  ),
  row(
    'DELETE',
    RULE,
    { operation: 'privateEndpointRules_delete', summary: 'Delete or deactivate a private endpoint' },
    (call, configuration = '', id = '') => deleteRule(call, configuration, id),
  ),
  row('POST', POLICIES, { operation: 'networkPolicies_create', summary: 'Create a network policy' }, createPolicy),
  row(
    'GET',
    POLICIES,
    { operation: 'networkPolicies_list', summary: 'List the network policies of an account' },
    listPolicies,
  ),
  row('GET', POLICY, { operation: 'networkPolicies_get', summary: 'Read a network policy' }, (call, id = '') =>
    getPolicy(call, id),
  ),
  row('PUT', POLICY, { operation: 'networkPolicies_update', summary: 'Replace a network policy' }, (call, id = '') =>
    replacePolicy(call, id),
  ),
  row('DELETE', POLICY, { operation: 'networkPolicies_delete', summary: 'Delete a network policy' }, (call, id = '') =>
    deletePolicy(call, id),
  ),
  row(
    'GET',
    OPTION,
    { operation: 'workspaceNetwork_get', summary: 'Read the network policy of a workspace' },
    (call, workspace = '') => getNetworkOption(call, workspace),
  ),
  row(
    'PUT',
    OPTION,
    { operation: 'workspaceNetwork_update', summary: 'Assign a network policy to a workspace' },
    (call, workspace = '') => setNetworkOption(call, workspace),
  ),
];
