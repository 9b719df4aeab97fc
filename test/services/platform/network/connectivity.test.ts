import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { ACCOUNT, accountClient, all } from '../sdk.ts';
import { type Ask, control, good, person, REAL_TIMES, refusal, withoutRates } from '../support.ts';

const ACC = `/accounts/${ACCOUNT}`;
const CONFIGS = `${ACC}/network-connectivity-configs`;
const STORAGE = '/subscriptions/s/resourceGroups/g/providers/Vendor.Storage/storageAccounts';

onBothStores(
  'data platform: network connectivity',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const decide = (id: string, verb: string, body?: object) =>
      control(bench, 'POST', `platform/private-endpoints/${id}/${verb}`, body);

    it('the published client makes a configuration, has an endpoint approved, and attaches a workspace', async () => {
      const { jar } = bench;
      const client = accountClient(bench, { token: await jar.token({ user: 'admin', ttl: '365d' }) });
      const made = await client.networkConnectivity.createNetworkConnectivityConfiguration({
        network_connectivity_config: { name: 'analytics', region: 'westus2' },
      });
      const network_connectivity_config_id = made.network_connectivity_config_id ?? '';
      expect(made).toMatchObject({
        account_id: ACCOUNT,
        name: 'analytics',
        region: 'westus2',
        egress_config: { default_rules: { azure_service_endpoint_rule: { target_region: 'westus2' } } },
      });
      const rule = await client.networkConnectivity.createPrivateEndpointRule({
        network_connectivity_config_id,
        private_endpoint_rule: { resource_id: `${STORAGE}/data`, group_id: 'blob' },
      });
      const private_endpoint_rule_id = rule.rule_id ?? '';
      const state = async () =>
        (
          await client.networkConnectivity.getPrivateEndpointRule({
            network_connectivity_config_id,
            private_endpoint_rule_id,
          })
        ).connection_state;
      expect(rule).toMatchObject({ connection_state: 'CREATING', group_id: 'blob', deactivated: false });
      expect((await decide(private_endpoint_rule_id, 'approve')).status).toBe(409);
      await jar.clock.advance('2m');
      expect(await state()).toBe('PENDING');
      expect((await good(control(bench, 'GET', 'platform/private-endpoints'))).value).toMatchObject([
        { id: private_endpoint_rule_id, state: 'PENDING', resourceId: `${STORAGE}/data` },
      ]);
      await good(decide(private_endpoint_rule_id, 'approve'));
      expect(await state()).toBe('ESTABLISHED');
      await jar.clock.advance('20d');
      expect(await state()).toBe('ESTABLISHED');

      const [workspace] = await good(ask('GET', `${ACC}/workspaces`));
      const path = `${ACC}/workspaces/${workspace.workspace_id}`;
      await good(ask('PATCH', path, { network_connectivity_config_id }));
      expect(await good(ask('GET', path))).toMatchObject({ network_connectivity_config_id });
      const listed = await all(client.networkConnectivity.listNetworkConnectivityConfigurations({}));
      expect(listed).toMatchObject([
        { egress_config: { target_rules: { azure_private_endpoint_rules: [{ rule_id: private_endpoint_rule_id }] } } },
      ]);
      expect(refusal(await ask('DELETE', `${CONFIGS}/${network_connectivity_config_id}`))).toMatchObject({
        status: 400,
        code: 'INVALID_STATE',
        message: expect.stringContaining('1 workspaces and 1 private endpoint rules'),
      });

      const removed = await client.networkConnectivity.deletePrivateEndpointRule({
        network_connectivity_config_id,
        private_endpoint_rule_id,
      });
      expect(removed).toMatchObject({ deactivated: true, connection_state: 'ESTABLISHED' });
      await jar.clock.advance('23h');
      expect(await state()).toBe('ESTABLISHED');
      await jar.clock.advance('1h');
      await expect(state()).rejects.toThrow('does not exist');
      await good(ask('PATCH', `${path}?update_mask=network_connectivity_config_id`, {}));
      await client.networkConnectivity.deleteNetworkConnectivityConfiguration({ network_connectivity_config_id });
      expect(await all(client.networkConnectivity.listNetworkConnectivityConfigurations({}))).toEqual([]);
    });

    it('network policies are given to workspaces, and the default one is always there', async () => {
      const client = accountClient(bench, { token: await bench.jar.token({ user: 'admin', ttl: '365d' }) });
      const restricted = {
        network_policy_id: 'restricted',
        egress: {
          network_access: {
            restriction_mode: 'RESTRICTED_ACCESS' as const,
            allowed_internet_destinations: [
              { destination: 'vendor.example', internet_destination_type: 'DNS_NAME' as const },
            ],
          },
        },
      };
      expect(await client.networkPolicies.createNetworkPolicyRpc({ network_policy: restricted })).toMatchObject({
        account_id: ACCOUNT,
        ...restricted,
      });
      expect(await all(client.networkPolicies.listNetworkPoliciesRpc({}))).toMatchObject([
        { network_policy_id: 'default-policy', egress: { network_access: { restriction_mode: 'FULL_ACCESS' } } },
        restricted,
      ]);
      const [{ workspace_id }] = await good(ask('GET', `${ACC}/workspaces`));
      const option = client.workspaceNetworkConfiguration;
      expect(await option.getWorkspaceNetworkOptionRpc({ workspace_id })).toEqual({
        network_policy_id: 'default-policy',
        workspace_id,
      });
      const workspace_network_option = { network_policy_id: 'restricted' };
      await option.updateWorkspaceNetworkOptionRpc({ workspace_id, workspace_network_option });
      expect(await option.getWorkspaceNetworkOptionRpc({ workspace_id })).toMatchObject(workspace_network_option);
      expect(refusal(await ask('DELETE', `${ACC}/network-policies/restricted`))).toMatchObject({
        status: 400,
        code: 'INVALID_STATE',
      });
      await good(ask('PUT', `${ACC}/workspaces/${workspace_id}/network`, { network_policy_id: 'default-policy' }));
      await client.networkPolicies.deleteNetworkPolicyRpc({ network_policy_id: 'restricted' });
      expect(refusal(await ask('GET', `${ACC}/network-policies/restricted`)).status).toBe(404);
      expect(refusal(await ask('DELETE', `${ACC}/network-policies/default-policy`))).toMatchObject({ status: 400 });
      await good(ask('PUT', `${ACC}/network-policies/default-policy`, { egress: restricted.egress }));
      expect(await good(ask('GET', `${ACC}/network-policies/default-policy`))).toMatchObject({
        egress: restricted.egress,
      });
    });
  },
  REAL_TIMES,
);
