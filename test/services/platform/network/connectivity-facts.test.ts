import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { ACCOUNT } from '../sdk.ts';
import { type Ask, control, good, person, REAL_TIMES, refusal, withoutRates } from '../support.ts';

const ACC = `/accounts/${ACCOUNT}`;
const CONFIGS = `${ACC}/network-connectivity-configs`;
const POLICIES = `${ACC}/network-policies`;
const STORAGE = '/subscriptions/s/resourceGroups/g/providers/Vendor.Storage/storageAccounts';

onAnyStore(
  'data platform: facts about the network of an account (E23)',
  (bench) => {
    let ask: Ask;
    const advance = (by: string) => bench.jar.clock.advance(by);

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const invalid = (message: string) => ({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: expect.stringContaining(message),
    });

    const network = async (name = 'network', region = 'westus2'): Promise<string> =>
      (await good(ask('POST', CONFIGS, { name, region }))).network_connectivity_config_id;
    const rulesOf = (id: string) => `${CONFIGS}/${id}/private-endpoint-rules`;
    const blob = (name: string) => ({ resource_id: `${STORAGE}/${name}`, group_id: 'blob' });
    const decide = (id: string, verb: string, body?: object) =>
      control(bench, 'POST', `platform/private-endpoints/${id}/${verb}`, body);
    const use = async (row: string): Promise<number> => {
      const { value } = await good(control(bench, 'GET', `limits?name=platform.${row}`));
      return (value[0].use as { used: number }[]).reduce((sum, each) => sum + each.used, 0);
    };

    describe('configurations', () => {
      it.each<[string, object, object]>([
        ['no name', { region: 'westus2' }, invalid('Missing required field: name')],
        ['no region', { name: 'abc' }, invalid('Missing required field: region')],
        ['a short name', { name: 'ab', region: 'westus2' }, invalid('^[0-9a-zA-Z-_]{3,30}$')],
        ['a long name', { name: 'a'.repeat(31), region: 'westus2' }, invalid('{3,30}')],
        ['a name with other signs', { name: 'a b c', region: 'westus2' }, invalid('{3,30}')],
        ['a region that is none', { name: 'abc', region: 'West US' }, invalid("no region 'West US'")],
        ['a name that is no text', { name: 5, region: 'westus2' }, { status: 400, code: 'MALFORMED_REQUEST' }],
      ])('refuses %s', async (_what, body, expected) =>
        expect(refusal(await ask('POST', CONFIGS, body))).toMatchObject(expected),
      );

      it('have ids, times in milliseconds and the rules of their region; there is no update', async () => {
        const id = await network('plain');
        const found = await good(ask('GET', `${CONFIGS}/${id}`));
        const now = bench.jar.clock.now().valueOf();
        expect(found).toMatchObject({ account_id: ACCOUNT, name: 'plain', creation_time: now, updated_time: now });
        const { subnets, ...rule } = found.egress_config.default_rules.azure_service_endpoint_rule;
        expect(subnets).toHaveLength(2);
        expect(rule).toEqual({ target_region: 'westus2', target_services: ['AZURE_BLOB_STORAGE'] });
        const other = await good(ask('GET', `${CONFIGS}/${await network('other', 'us-east-1')}`));
        expect(other.egress_config.default_rules.aws_stable_ip_rule.cidr_blocks).toHaveLength(2);
        expect(refusal(await ask('PATCH', `${CONFIGS}/${id}`, {}))).toMatchObject({ code: 'ENDPOINT_NOT_FOUND' });
        expect(refusal(await ask('POST', CONFIGS, { name: 'PLAIN', region: 'westus2' }))).toMatchObject({
          status: 409,
        });
        expect(refusal(await ask('GET', `${CONFIGS}/x`))).toMatchObject({
          status: 404,
          code: 'RESOURCE_DOES_NOT_EXIST',
        });
      });

      it('10 in a region, and as many in another', async () => {
        for (let i = 0; i < 10; i++) await network(`network-${i}`);
        expect(refusal(await ask('POST', CONFIGS, { name: 'eleventh', region: 'westus2' }))).toMatchObject({
          status: 400,
          code: 'RESOURCE_LIMIT_EXCEEDED',
          message: expect.stringContaining('region westus2'),
        });
        await network('eleventh', 'eastus');
        const { items, next_page_token: next } = await good(ask('GET', `${CONFIGS}?page_size=6`));
        const rest = await good(ask('GET', `${CONFIGS}?page_size=6&page_token=${next}`));
        expect([items.length, rest.items.length, rest.next_page_token]).toEqual([6, 5, undefined]);
      });

      it('are for workspaces of their own region, and exist', async () => {
        const [{ workspace_id: id, location }] = await good(ask('GET', `${ACC}/workspaces`));
        expect(location).toBe('westus2');
        const attach = async (network_connectivity_config_id: string) =>
          refusal(await ask('PATCH', `${ACC}/workspaces/${id}`, { network_connectivity_config_id }));
        expect(await attach('nothing')).toMatchObject({ status: 404, code: 'RESOURCE_DOES_NOT_EXIST' });
        expect(await attach(await network('far', 'eastus'))).toMatchObject(invalid('in the region westus2'));
        expect(await attach(await network('near'))).toMatchObject({ status: 200 });
      });

      it('are for administrators of the account', async () => {
        const licensed = await person(bench, 'licensed');
        const id = await network();
        for (const [method, path] of [
          ['GET', CONFIGS],
          ['POST', CONFIGS],
          ['GET', `${CONFIGS}/${id}`],
          ['DELETE', `${CONFIGS}/${id}`],
          ['POST', rulesOf(id)],
          ['GET', POLICIES],
        ] as const)
          expect((await licensed(method, path, method === 'POST' ? {} : undefined)).status).toBe(403);
      });
    });

    describe('private endpoint rules', () => {
      const customer = {
        resource_id: '/subscriptions/s/resourceGroups/g/providers/Vendor.Network/privateLinkServices/p',
      };
      it.each<[string, object, string]>([
        ['no resource', { group_id: 'blob' }, 'Missing required field: resource_id'],
        ['a resource that is none', { resource_id: 'x', group_id: 'blob' }, "'resource_id' is not a resource id"],
        ['neither group nor domains', customer, "'group_id' and 'domain_names'"],
        ['group and domains', { ...blob('a'), domain_names: ['a.example'] }, "'group_id' and 'domain_names'"],
        ['a domain that is none', { ...customer, domain_names: ['no domain'] }, 'not a domain name'],
        ['no domains', { ...customer, domain_names: [] }, 'at least 1'],
        ['a group that is none', { ...blob('a'), group_id: 'a/b' }, 'not a sub-resource'],
        ['buckets of a resource', { ...blob('a'), resource_names: ['b'] }, "'resource_names' needs"],
        ['a service and a resource', { ...blob('a'), endpoint_service: 's' }, 'cannot be used together'],
        ['a service without names', { endpoint_service: 's' }, "'domain_names' and 'resource_names'"],
      ])('refuse %s', async (_what, body, message) => {
        const id = await network();
        expect(refusal(await ask('POST', rulesOf(id), body))).toMatchObject(invalid(message));
        expect(await use('private-endpoints')).toBe(0);
      });

      it('are CREATING, then PENDING until approved, and EXPIRED after 14 days; then removed immediately', async () => {
        const id = await network();
        const { rule_id: rule, ...made } = await good(ask('POST', rulesOf(id), blob('a')));
        expect(made).toMatchObject({
          network_connectivity_config_id: id,
          endpoint_name: expect.stringContaining('databricks-'),
          connection_state: 'CREATING',
          deactivated: false,
        });
        const state = async () => (await good(ask('GET', `${rulesOf(id)}/${rule}`))).connection_state;
        await advance('119s');
        expect(await state()).toBe('CREATING');
        await advance('1s');
        expect(await state()).toBe('PENDING');
        await advance('13d');
        expect(await state()).toBe('PENDING');
        await advance('1d');
        expect(await state()).toBe('EXPIRED');
        expect((await decide(rule, 'approve')).body.error.code).toBe('EndpointState');
        expect(await good(ask('DELETE', `${rulesOf(id)}/${rule}`))).toMatchObject({ deactivated: false });
        expect((await ask('GET', `${rulesOf(id)}/${rule}`)).status).toBe(404);
        expect(await use('private-endpoints')).toBe(0);
      });

      it.each([
        ['reject', 'REJECTED', []],
        ['disconnect', 'DISCONNECTED', ['approve']],
      ] as const)(
        '%s makes them %s; deleted, they are deactivated for a day and count until then',
        async (verb, state, first) => {
          const id = await network();
          const { rule_id: rule } = await good(ask('POST', rulesOf(id), blob('a')));
          await advance('2m');
          for (const each of first) await good(decide(rule, each));
          expect(await good(decide(rule, verb))).toMatchObject({ id: rule, state });
          const removed = await good(ask('DELETE', `${rulesOf(id)}/${rule}`));
          expect(removed).toMatchObject({
            connection_state: state,
            deactivated: true,
            deactivated_at: bench.jar.clock.now().valueOf(),
          });
          await advance('1h');
          // A second delete does not postpone the removal.
          await good(ask('DELETE', `${rulesOf(id)}/${rule}`));
          expect(await use('private-endpoints')).toBe(1);
          expect(refusal(await ask('DELETE', `${CONFIGS}/${id}`))).toMatchObject({ code: 'INVALID_STATE' });
          await advance('23h');
          expect((await ask('GET', `${rulesOf(id)}/${rule}`)).status).toBe(404);
          expect(await use('private-endpoints')).toBe(0);
          await good(ask('DELETE', `${CONFIGS}/${id}`));
        },
      );

      it('can fail while they are created', async () => {
        const id = await network();
        const { rule_id: rule } = await good(ask('POST', rulesOf(id), blob('a')));
        await good(decide(rule, 'fail', { reason: 'no such resource' }));
        await advance('1h');
        expect(await good(ask('GET', `${rulesOf(id)}/${rule}`))).toMatchObject({
          connection_state: 'CREATE_FAILED',
          error_message: 'no such resource',
        });
        expect((await decide('nothing', 'approve')).status).toBe(404);
      });

      it('one for each resource of a configuration, until it is deactivated', async () => {
        const id = await network();
        const { rule_id: rule } = await good(ask('POST', rulesOf(id), blob('a')));
        expect(refusal(await ask('POST', rulesOf(id), blob('A')))).toMatchObject({
          status: 409,
          code: 'ALREADY_EXISTS',
        });
        await good(ask('POST', rulesOf(id), { ...blob('a'), group_id: 'dfs' }));
        await good(ask('POST', rulesOf(await network('other')), blob('a')));
        await good(ask('DELETE', `${rulesOf(id)}/${rule}`));
        await good(ask('POST', rulesOf(id), blob('a')));
      });

      it('domain names are replaced by the mask; names of known resources cannot be', async () => {
        const id = await network();
        const { rule_id: rule } = await good(ask('POST', rulesOf(id), { ...customer, domain_names: ['a.example'] }));
        const at = `${rulesOf(id)}/${rule}`;
        const names = { domain_names: ['b.example', 'c.example'] };
        expect(await good(ask('PATCH', `${at}?update_mask=domain_names`, { ...names, enabled: false }))).toMatchObject(
          names,
        );
        expect(refusal(await ask('PATCH', at, names))).toMatchObject(invalid('update_mask'));
        expect(refusal(await ask('PATCH', `${at}?update_mask=resource_id`, {}))).toMatchObject(invalid('update_mask'));
        expect(refusal(await ask('PATCH', `${at}?update_mask=*`, { domain_names: ['-'] }))).toMatchObject(invalid(''));
        expect(refusal(await ask('PATCH', `${at}?update_mask=enabled`, { enabled: true }))).toMatchObject(
          invalid('enabled'),
        );
        const service = { endpoint_service: 'com.vendor.s3', resource_names: ['bucket'] };
        const aws = await good(ask('POST', rulesOf(id), service));
        expect(aws).toMatchObject({ ...service, enabled: true });
        const off = await good(ask('PATCH', `${rulesOf(id)}/${aws.rule_id}?update_mask=enabled`, { enabled: false }));
        expect(off.enabled).toBe(false);
        await good(ask('DELETE', at));
        expect(refusal(await ask('PATCH', `${at}?update_mask=domain_names`, names))).toMatchObject({
          code: 'INVALID_STATE',
        });
      });

      it('100 in a region over its configurations; lists have pages', async () => {
        await good(control(bench, 'PATCH', 'limits', { name: 'platform.private-endpoints', limit: 5 }));
        const [one, two] = [await network('one'), await network('two')];
        for (const name of ['a', 'b', 'c']) await good(ask('POST', rulesOf(one), blob(name)));
        for (const name of ['a', 'b']) await good(ask('POST', rulesOf(two), blob(name)));
        expect(refusal(await ask('POST', rulesOf(two), blob('c')))).toMatchObject({ code: 'RESOURCE_LIMIT_EXCEEDED' });
        await good(ask('POST', rulesOf(await network('far', 'eastus')), blob('c')));
        const { items, next_page_token: next } = await good(ask('GET', `${rulesOf(one)}?page_size=2`));
        const rest = await good(ask('GET', `${rulesOf(one)}?page_size=2&page_token=${next}`));
        expect([items.length, rest.items.length]).toEqual([2, 1]);
      });
    });

    describe('policies', () => {
      const access = (network_access: object) => ({ network_policy_id: 'p', egress: { network_access } });
      it.each<[string, object, object]>([
        ['no id', {}, invalid('Missing required field: network_policy_id')],
        ['an id with other signs', { network_policy_id: 'a b' }, invalid("'network_policy_id' must match")],
        ['no mode', access({}), invalid('egress.network_access.restriction_mode')],
        ['an unknown mode', access({ restriction_mode: 'NONE' }), invalid('FULL_ACCESS, RESTRICTED_ACCESS')],
        [
          'an unknown enforcement',
          access({ restriction_mode: 'FULL_ACCESS', policy_enforcement: { enforcement_mode: 'X' } }),
          invalid('ENFORCED, DRY_RUN'),
        ],
        [
          'an unknown storage',
          access({
            restriction_mode: 'FULL_ACCESS',
            allowed_storage_destinations: [{ storage_destination_type: 'X' }],
          }),
          invalid('AWS_S3'),
        ],
        ['the id of the default', { network_policy_id: 'default-policy' }, { status: 409, code: 'ALREADY_EXISTS' }],
      ])('refuse %s', async (_what, body, expected) =>
        expect(refusal(await ask('POST', POLICIES, body))).toMatchObject(expected),
      );

      it('workspaces are given one that exists', async () => {
        const [{ workspace_id: id }] = await good(ask('GET', `${ACC}/workspaces`));
        const at = `${ACC}/workspaces/${id}/network`;
        expect(refusal(await ask('PUT', at, { network_policy_id: 'none' }))).toMatchObject({ status: 404 });
        expect(refusal(await ask('PUT', at, {}))).toMatchObject(invalid('network_policy_id'));
        expect(refusal(await ask('GET', `${ACC}/workspaces/1/network`))).toMatchObject({ status: 404 });
        expect(refusal(await ask('PUT', `${POLICIES}/none`, {}))).toMatchObject({ status: 404 });
        await good(ask('POST', POLICIES, { network_policy_id: 'p' }));
        const made = await good(ask('POST', `${ACC}/workspaces`, { workspace_name: 'w', location: 'westus2' }), 201);
        await good(ask('PUT', `${ACC}/workspaces/${made.workspace_id}/network`, { network_policy_id: 'p' }));
        expect((await ask('DELETE', `${POLICIES}/p`)).status).toBe(400);
        await good(ask('DELETE', `${ACC}/workspaces/${made.workspace_id}`));
        await bench.jar.settled();
        await good(ask('DELETE', `${POLICIES}/p`));
      });
    });
  },
  REAL_TIMES,
);
