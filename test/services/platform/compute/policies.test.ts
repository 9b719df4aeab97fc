import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../support.ts';
import { createCluster, getCluster, NODE, PLAIN, runningCluster, SPARK } from './support.ts';

const PATH = '/policies/clusters';

const createPolicy = async (ask: Ask, rules: object, rest: object = {}): Promise<string> =>
  (await good(ask('POST', `${PATH}/create`, { name: 'policy', definition: JSON.stringify(rules), ...rest }))).policy_id;

onAnyStore('data platform: cluster policies', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('a policy fixes, completes and bounds the clusters of its users', async () => {
    const ask = await person(bench);
    const policy_id = await createPolicy(ask, {
      spark_version: { type: 'fixed', value: 'auto:latest-lts' },
      node_type_id: { type: 'allowlist', values: [NODE, 'Standard_DS4_v2'], defaultValue: NODE },
      num_workers: { type: 'range', minValue: 1, maxValue: 4 },
      autotermination_minutes: { type: 'unlimited', defaultValue: 60 },
      'custom_tags.team': { type: 'regex', pattern: 'data-[a-z]+' },
      'spark_conf.spark.secret': { type: 'forbidden' },
    });
    const create = (spec: object) => ask('POST', '/clusters/create', { policy_id, ...spec });
    const reply = await create({ num_workers: 9, node_type_id: 'Standard_F4s', custom_tags: { team: 'sales' } });
    expect(refusal(reply)).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message:
        'Cluster validation error: Validation failed for node_type_id, the value must be one of Standard_DS3_v2, Standard_DS4_v2 (is "Standard_F4s"); ' +
        'Validation failed for num_workers, the value must be less than or equal to 4 (is "9"); ' +
        'Validation failed for autotermination_minutes, the value must be present; ' +
        'Validation failed for custom_tags.team, the value must match data-[a-z]+ (is "sales")',
    });
    const { cluster_id } = await good(
      create({ num_workers: 2, custom_tags: { team: 'data-x' }, apply_policy_default_values: true }),
    );
    const cluster = await getCluster(ask, cluster_id);
    expect(cluster).toMatchObject({
      spark_version: '17.3.x-scala2.13',
      node_type_id: NODE,
      autotermination_minutes: 60,
      policy_id,
      spec: { apply_policy_default_values: true },
    });
    expect(cluster).not.toHaveProperty('apply_policy_default_values');
    await good(ask('POST', '/clusters/delete', { cluster_id }));
    await bench.jar.clock.advance('1m');
    await good(
      ask('POST', `${PATH}/edit`, {
        policy_id,
        name: 'policy',
        definition: '{"num_workers":{"type":"fixed","value":1}}',
      }),
    );
    expect(await good(ask('GET', `${PATH}/get-compliance?cluster_id=${cluster_id}`))).toEqual({
      is_compliant: false,
      violations: { num_workers: 'the value must be 1 (is "2")' },
    });
    expect((await good(ask('GET', `${PATH}/list-compliance?policy_id=${policy_id}`))).clusters).toMatchObject([
      { cluster_id, is_compliant: false },
    ]);
    expect(await good(ask('POST', `${PATH}/enforce-compliance`, { cluster_id }))).toEqual({
      has_changes: true,
      changes: [{ field: 'num_workers', previous_value: '2', new_value: '1' }],
    });
    expect(await getCluster(ask, cluster_id)).toMatchObject({ num_workers: 1, state: 'TERMINATED' });
    await good(ask('POST', `${PATH}/delete`, { policy_id }));
    expect(refusal(await ask('POST', '/clusters/edit', { cluster_id, ...PLAIN, policy_id }))).toMatchObject({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
    });
  });

  it('a policy limits the size of a running cluster, and updates use the requested attributes', async () => {
    const ask = await person(bench);
    const policy_id = await createPolicy(ask, { num_workers: { type: 'range', maxValue: 4 } });
    const cluster_id = await runningCluster(bench, ask, { policy_id });
    expect(refusal(await ask('POST', '/clusters/resize', { cluster_id, num_workers: 5 }))).toMatchObject({
      message: expect.stringContaining('Validation failed for num_workers'),
    });
    await good(ask('POST', '/clusters/resize', { cluster_id, num_workers: 3 }));
    await bench.jar.clock.advance('2m');
    const { instance_pool_id } = await good(
      ask('POST', '/instance-pools/create', { instance_pool_name: 'p', node_type_id: 'Standard_F4s' }),
    );
    const update_mask = 'instance_pool_id,node_type_id';
    await good(ask('POST', '/clusters/update', { cluster_id, update_mask, cluster: { instance_pool_id } }));
    expect(await getCluster(ask, cluster_id)).toMatchObject({
      num_workers: 3,
      node_type_id: 'Standard_F4s',
      driver_node_type_id: 'Standard_F4s',
      spec: { policy_id, num_workers: 3, instance_pool_id },
    });
  });

  it('the maximum of active clusters per user and policy holds under concurrency', async () => {
    const ask = await person(bench);
    const policy_id = await createPolicy(ask, {}, { max_clusters_per_user: 2 });
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => ask('POST', '/clusters/create', { ...PLAIN, policy_id })),
    );
    const made = replies.filter(({ status }) => status === 200).map(({ body }) => body.cluster_id);
    expect(made).toHaveLength(2);
    expect(replies.filter(({ body }) => body.error_code === 'QUOTA_EXCEEDED')).toHaveLength(4);
    await good(ask('POST', '/clusters/delete', { cluster_id: made[0] }));
    await bench.jar.clock.advance('1m');
    await createCluster(ask, { policy_id });
    expect(refusal(await ask('POST', '/clusters/start', { cluster_id: made[0] }))).toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
  });

  it('users of a policy may create clusters with it, and only administrators change it', async () => {
    const ask = await person(bench);
    const policy_id = await createPolicy(ask, {});
    const user = await person(bench, 'licensed');
    expect(refusal(await user('POST', '/clusters/create', { ...PLAIN, policy_id }))).toMatchObject({
      status: 403,
      message: expect.stringContaining('CAN_USE'),
    });
    expect(refusal(await user('POST', `${PATH}/delete`, { policy_id }))).toMatchObject({ status: 403 });
    expect((await good(user('GET', `${PATH}/list`))).policies).toEqual([]);
  });

  it('an invalid definition is refused, and the message names the error', async () => {
    const ask = await person(bench);
    for (const [definition, message] of [
      ['no JSON', 'not valid JSON'],
      ['[]', 'must be a JSON object'],
      ['{"colour":{"type":"fixed","value":1}}', "'colour' is not an attribute"],
      ['{"num_workers":1}', 'must be an object'],
      ['{"num_workers":{"type":"odd"}}', 'must be one of fixed'],
      ['{"num_workers":{"type":"fixed"}}', 'has no value'],
      ['{"num_workers":{"type":"allowlist","values":[]}}', 'has no values'],
      ['{"num_workers":{"type":"regex","pattern":"("}}', 'regular expression'],
      ['{"num_workers":{"type":"range"}}', 'neither a minimum nor a maximum'],
      ['{"num_workers":{"type":"range","minValue":3,"maxValue":2}}', 'is empty'],
    ] as const)
      expect(refusal(await ask('POST', `${PATH}/create`, { name: 'bad', definition })), definition).toEqual({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: expect.stringContaining(message),
      });
    expect((await good(ask('GET', `${PATH}/list`))).policies).toEqual([]);
  });

  it('a pattern of exponential time does not match, and does not block other requests for long', async () => {
    const ask = await person(bench);
    const policy_id = await createPolicy(ask, { cluster_name: { type: 'regex', pattern: '(a+)+b' } });
    const cluster_name = 'a'.repeat(60);
    expect(refusal(await ask('POST', '/clusters/create', { ...PLAIN, cluster_name, policy_id }))).toMatchObject({
      message: expect.stringContaining('the value must match'),
    });
  });

  it('a policy can follow a family and override its rules', async () => {
    const ask = await person(bench);
    const { policy_families } = await good(ask('GET', '/policy-families'));
    expect(policy_families.map((each: { policy_family_id: string }) => each.policy_family_id)).toContain('personal-vm');
    const page = await good(ask('GET', '/policy-families?max_results=1'));
    expect(page).toMatchObject({
      policy_families: [{ policy_family_id: 'personal-vm' }],
      next_page_token: expect.any(String),
    });
    const { policy_id } = await good(
      ask('POST', `${PATH}/create`, {
        name: 'mine',
        policy_family_id: 'personal-vm',
        policy_family_definition_overrides: JSON.stringify({ spark_version: { type: 'fixed', value: SPARK } }),
      }),
    );
    const { cluster_id } = await good(
      ask('POST', '/clusters/create', { policy_id, apply_policy_default_values: true }),
    );
    expect(await getCluster(ask, cluster_id)).toMatchObject({
      spark_version: SPARK,
      num_workers: 0,
      node_type_id: NODE,
    });
    expect(refusal(await ask('POST', `${PATH}/create`, { name: 'x', policy_family_id: 'none' }))).toMatchObject({
      status: 404,
    });
  });

  it('policies are listed by name or by age, and names are unique', async () => {
    const ask = await person(bench);
    for (const name of ['b', 'a']) await createPolicy(ask, {}, { name });
    const names = async (query: string) =>
      (await good(ask('GET', `${PATH}/list?${query}`))).policies.map(({ name }: { name: string }) => name).join('');
    expect(await names('sort_column=POLICY_NAME&sort_order=ASC')).toBe('ab');
    expect(await names('sort_column=POLICY_NAME')).toBe('ba');
    expect(refusal(await ask('GET', `${PATH}/list?sort_order=UP`))).toMatchObject({ code: 'INVALID_PARAMETER_VALUE' });
    expect(refusal(await ask('POST', `${PATH}/create`, { name: 'A', definition: '{}' }))).toMatchObject({
      code: 'RESOURCE_ALREADY_EXISTS',
    });
  });
});
