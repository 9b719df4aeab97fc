import { expect } from 'vitest';
import { good, refusal } from '../support.ts';
import { checkFacts, type Fact, invalid, keys, OK, refused, type World } from './facts.ts';
import { createCluster, NODE, runningCluster, SPARK } from './support.ts';

const gone = { status: 404, code: 'RESOURCE_DOES_NOT_EXIST', message: expect.any(String) };

const wheels = (count: number) => Array.from({ length: count }, (_, n) => ({ whl: `dbfs:/${n}.whl` }));

const policy = (rules: object, more: object = {}) => ({ name: 'p', definition: JSON.stringify(rules), ...more });
const makePolicy = async ({ ask }: World, body: object) =>
  refusal(await ask('POST', '/policies/clusters/create', body));
const newPolicy = async ({ ask }: World, rules: object, more: object = {}): Promise<string> =>
  (await good(ask('POST', '/policies/clusters/create', policy(rules, more)))).policy_id;

/** A rule, an allowed value and a denied value. */
const RULES: readonly (readonly [rule: object, path: string, allowed: object, denied: object, message: string])[] = [
  [{ type: 'fixed', value: 3 }, 'num_workers', { num_workers: 3 }, { num_workers: 4 }, 'must be 3'],
  [{ type: 'fixed', value: 3, hidden: true }, 'num_workers', { num_workers: 3 }, { num_workers: 4 }, 'must be 3'],
  [{ type: 'forbidden' }, 'ssh_public_keys', {}, { ssh_public_keys: ['k'] }, 'not be present'],
  [{ type: 'allowlist', values: [1, 2] }, 'num_workers', { num_workers: 2 }, { num_workers: 3 }, 'one of 1, 2'],
  [{ type: 'blocklist', values: [7] }, 'num_workers', { num_workers: 2 }, { num_workers: 7 }, 'not be one of 7'],
  [{ type: 'regex', pattern: 'a.*' }, 'cluster_name', { cluster_name: 'abc' }, { cluster_name: 'xabc' }, 'match a.*'],
  [
    { type: 'range', minValue: 2, maxValue: 4 },
    'num_workers',
    { num_workers: 4 },
    { num_workers: 5 },
    'less than or equal to 4',
  ],
  [{ type: 'range', minValue: 2 }, 'num_workers', { num_workers: 2 }, { num_workers: 1 }, 'greater than or equal to 2'],
  [{ type: 'unlimited' }, 'autotermination_minutes', { autotermination_minutes: 99 }, {}, 'must be present'],
  [{ type: 'unlimited', isOptional: true }, 'custom_tags.team', {}, { num_workers: -1 }, 'negative'],
];

const POLICIES: readonly Fact[] = [
  ...RULES.map(
    ([rule, path, allowed, denied, message]): Fact => [
      `${JSON.stringify(rule)} on ${path}`,
      async (world) => {
        const policy_id = await newPolicy(world, { [path]: rule });
        const spec = { spark_version: SPARK, node_type_id: NODE, num_workers: 1, policy_id };
        return [
          await world.post('create', { ...spec, ...allowed }),
          await world.post('create', { ...spec, ...denied }),
        ];
      },
      [OK, invalid(message)],
    ],
  ),
  [
    'hidden is true or false',
    (world) => makePolicy(world, policy({ num_workers: { type: 'fixed', value: 1, hidden: 'yes' } })),
    invalid("'hidden'"),
  ],
  [
    'a policy needs a name',
    (world) => makePolicy(world, { definition: '{}' }),
    refused('INVALID_PARAMETER_VALUE', 'Missing required field: name'),
  ],
  [
    'of 100 characters at most',
    (world) => makePolicy(world, { name: 'n'.repeat(101), definition: '{}' }),
    invalid('100'),
  ],
  [
    'a definition excludes a family',
    (world) => makePolicy(world, policy({}, { policy_family_id: 'personal-vm' })),
    invalid('Only one of'),
  ],
  ['500 libraries are allowed', (world) => makePolicy(world, policy({}, { libraries: wheels(500) })), OK],
  ['501 are not', (world) => makePolicy(world, policy({}, { libraries: wheels(501) })), invalid('500')],
  [
    'a policy says who made it and when',
    async ({ ask, ...rest }) =>
      keys(
        good(ask('GET', `/policies/clusters/get?policy_id=${await newPolicy({ ask, ...rest }, {})}`)),
        'created_at_timestamp',
        'creator_user_name',
        'is_default',
      ),
    { created_at_timestamp: expect.any(Number), creator_user_name: expect.stringContaining('@'), is_default: false },
  ],
  ['an unknown policy is not found', ({ ask }) => ask('GET', '/policies/clusters/get?policy_id=x').then(refusal), gone],
  [
    'a dry run of enforcement changes nothing',
    async (world) => {
      const policy_id = await newPolicy(world, {});
      const cluster_id = await runningCluster(world.bench, world.ask, { policy_id });
      await good(
        world.ask('POST', '/policies/clusters/edit', {
          policy_id,
          ...policy({ num_workers: { type: 'fixed', value: 5 } }),
        }),
      );
      const found = await good(
        world.ask('POST', '/policies/clusters/enforce-compliance', { cluster_id, validate_only: true }),
      );
      return [found, await world.state(cluster_id)];
    },
    [{ has_changes: true, changes: [{ field: 'num_workers', previous_value: '2', new_value: '5' }] }, 'RUNNING'],
  ],
  [
    'enforcing it restarts a running cluster',
    async (world) => {
      const policy_id = await newPolicy(world, {});
      const cluster_id = await runningCluster(world.bench, world.ask, { policy_id });
      await good(
        world.ask('POST', '/policies/clusters/edit', {
          policy_id,
          ...policy({ num_workers: { type: 'fixed', value: 5 } }),
        }),
      );
      await good(world.ask('POST', '/policies/clusters/enforce-compliance', { cluster_id }));
      const state = await world.state(cluster_id);
      return [
        state,
        (await good(world.ask('GET', `/policies/clusters/get-compliance?cluster_id=${cluster_id}`))).is_compliant,
      ];
    },
    ['RESTARTING', true],
  ],
  [
    'compliance comes in pages',
    async (world) => {
      const policy_id = await newPolicy(world, {});
      for (let n = 0; n < 3; n++) await createCluster(world.ask, { policy_id });
      const path = `/policies/clusters/list-compliance?policy_id=${policy_id}&page_size=2`;
      const first = await good(world.ask('GET', path));
      const second = await good(world.ask('GET', `${path}&page_token=${first.next_page_token}`));
      return [first.clusters.length, second.clusters.length, second.next_page_token];
    },
    [2, 1, undefined],
  ],
  [
    'families come in pages and one by one',
    async ({ ask }) => {
      const { policy_families, next_page_token } = await good(ask('GET', '/policy-families?max_results=3'));
      const rest = await good(ask('GET', `/policy-families?max_results=3&page_token=${next_page_token}`));
      const one = await good(ask('GET', `/policy-families/${policy_families[0].policy_family_id}`));
      return [policy_families.length, rest.policy_families.length, rest.next_page_token, one];
    },
    [
      3,
      1,
      undefined,
      {
        policy_family_id: 'personal-vm',
        name: expect.any(String),
        description: expect.any(String),
        definition: expect.stringMatching(/^\{/),
      },
    ],
  ],
  ['an unknown family is not found', ({ ask }) => ask('GET', '/policy-families/x').then(refusal), gone],
];

checkFacts('data platform: facts of cluster policies', POLICIES);
