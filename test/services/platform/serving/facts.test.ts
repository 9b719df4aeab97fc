import { expect } from 'vitest';
import { checkFacts, type Fact, invalid, keys, OK } from '../compute/facts.ts';
import { good, refusal } from '../support.ts';
import { create, MISSING, make, model, served } from './facts.ts';
import { entity, makeModels, PATH } from './support.ts';

const CREATION: readonly Fact[] = [
  ['a name is required', async ({ ask }) => refusal(await ask('POST', PATH, {})), invalid('name')],
  [
    'a name has letters, digits, dashes and underscores, 63 at most',
    async (world) => [
      await make(world, { name: `A-z_9${'x'.repeat(58)}` }),
      await make(world, { name: 'x'.repeat(64) }),
      await make(world, { name: 'a.b' }),
      await make(world, { name: 'a b' }),
    ],
    [OK, invalid('name'), invalid('name'), invalid('name')],
  ],
  [
    'a second one of the name is refused',
    async (world) => {
      await create(world);
      return make(world);
    },
    { status: 409, code: 'RESOURCE_ALREADY_EXISTS', message: 'Serving endpoint with name e already exists' },
  ],
  [
    'an endpoint without a configuration is there and not ready',
    async (world) => keys(create(world), 'state', 'config', 'pending_config'),
    { state: { ready: 'NOT_READY', config_update: 'NOT_UPDATING' }, config: undefined, pending_config: undefined },
  ],
  [
    'an endpoint has an id of 32 hexadecimal digits, its creator and times in milliseconds',
    async (world) => keys(create(world), 'id', 'creator', 'creation_timestamp', 'last_updated_timestamp'),
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      creator: 'admin@vendor.example',
      creation_timestamp: expect.any(Number),
      last_updated_timestamp: expect.any(Number),
    },
  ],
  ['the description is always there', async (world) => (await create(world)).description, ''],
  [
    'what was said at the creation is shown',
    async (world) =>
      keys(
        create(world, {
          tags: [{ key: 'k', value: 'v' }],
          rate_limits: [{ calls: 3, renewal_period: 'minute' }],
          ai_gateway: { usage_tracking_config: { enabled: true } },
          email_notifications: { on_update_failure: ['a@vendor.example'] },
          budget_policy_id: 'b',
          description: 'd',
        }),
        'tags',
        'rate_limits',
        'ai_gateway',
        'email_notifications',
        'budget_policy_id',
        'description',
      ),
    {
      tags: [{ key: 'k', value: 'v' }],
      rate_limits: [{ calls: 3, key: 'endpoint', renewal_period: 'minute' }],
      ai_gateway: { usage_tracking_config: { enabled: true } },
      email_notifications: { on_update_failure: ['a@vendor.example'] },
      budget_policy_id: 'b',
      description: 'd',
    },
  ],
  [
    'a route-optimised endpoint says where it is queried and what a token needs for it',
    async (world) =>
      keys(create(world, { route_optimized: true }), 'endpoint_url', 'data_plane_info', 'route_optimized'),
    {
      endpoint_url: expect.stringMatching(/\/serving-endpoints\/e\/invocations$/),
      data_plane_info: {
        query_info: {
          endpoint_url: expect.stringMatching(/\/serving-endpoints\/e\/invocations$/),
          authorization_details: expect.stringContaining('query_inference_endpoint'),
        },
      },
      route_optimized: true,
    },
  ],
  [
    'the list has all endpoints and no pages',
    async (world) => {
      await create(world, served(model()));
      await create(world, { name: 'f' });
      const list = await good(world.ask('GET', PATH));
      return [Object.keys(list), list.endpoints.map(({ name }: { name: string }) => name), list.endpoints[0].config];
    },
    [
      ['endpoints'],
      ['e', 'f'],
      {
        served_entities: [{ name: 'm-1', entity_name: 'm', entity_version: '1' }],
        served_models: [{ name: 'm-1', model_name: 'm', model_version: '1' }],
      },
    ],
  ],
  ['an unknown endpoint does not exist', async ({ ask }) => refusal(await ask('GET', `${PATH}/none`)), MISSING],
  [
    'a deleted endpoint does not exist, and its name is free',
    async (world) => {
      await create(world, served(model()));
      await good(world.ask('DELETE', `${PATH}/e`));
      return [
        refusal(await world.ask('GET', `${PATH}/e`)),
        refusal(await world.ask('DELETE', `${PATH}/e`)),
        await make(world),
      ];
    },
    [MISSING, MISSING, OK],
  ],
];

const LOOKS: readonly Fact[] = [
  [
    'the OpenAPI document has the queries of the endpoint',
    async (world) => {
      await create(world, served(entity('a')));
      const document = await good(world.ask('GET', `${PATH}/e/openapi`));
      return [document.openapi, Object.keys(document.paths)];
    },
    ['3.1.0', ['/e/invocations', '/e/served-models/a/invocations']],
  ],
  [
    'metrics are text of Prometheus',
    async (world) => {
      await create(world, served(entity('a')));
      await world.advance('5m');
      await world.ask('POST', `/${PATH}/e/invocations`, { instances: [1] });
      await world.ask('POST', `/${PATH}/e/served-models/a/invocations`, { instances: [1] });
      const { text, headers } = await world.ask('GET', `${PATH}/e/metrics`);
      const labels = 'endpoint="e",served_entity_name="a",entity_name="main.default.churn",entity_version="1"';
      return [
        headers.get('content-type'),
        text.includes(`request_count_total{${labels}} 2\n`),
        text.includes(`provisioned_concurrent_requests_total{${labels}} 4\n`),
        text.includes(`request_latency_ms_bucket{${labels},le="+Inf"} 2\n`),
        text.split('\n').every((line) => line === '' || /^(?:# (?:HELP|TYPE) |[a-z_0-9]+\{.*\} [\d.]+$)/.test(line)),
      ];
    },
    ['text/plain; version=0.0.4; charset=utf-8', true, true, true, true],
  ],
  [
    'logs of an entity have its queries, those of its build how it ended',
    async (world) => {
      await create(world, served(entity('a')));
      const during = (await good(world.ask('GET', `${PATH}/e/served-models/a/build-logs`))).logs;
      await world.advance('5m');
      await world.ask('POST', `/${PATH}/e/invocations`, { instances: [1] });
      const [build, log] = await Promise.all(
        ['build-logs', 'logs'].map(
          async (path) => (await good(world.ask('GET', `${PATH}/e/served-models/a/${path}`))).logs,
        ),
      );
      return [during.includes('successfully'), build.includes('successfully'), log];
    },
    [false, true, expect.stringMatching(/^\S+ POST \/invocations 200\n$/)],
  ],
  [
    'an entity that the endpoint does not serve has no logs',
    async (world) => {
      await create(world, served(entity('a')));
      return refusal(await world.ask('GET', `${PATH}/e/served-models/b/logs`));
    },
    MISSING,
  ],
  [
    'the levels are CAN_VIEW, CAN_QUERY and CAN_MANAGE, by the id of the endpoint',
    async (world) => {
      const { id } = await create(world);
      const levels = await good(world.ask('GET', `/permissions/serving-endpoints/${id}/permissionLevels`));
      const acl = await good(world.ask('GET', `/permissions/serving-endpoints/${id}`));
      return [
        levels.permission_levels.map((each: { permission_level: string }) => each.permission_level),
        acl.object_id === `/serving-endpoints/${id}`,
        acl.object_type,
        (await world.ask('GET', '/permissions/serving-endpoints/e')).status,
      ];
    },
    [['CAN_VIEW', 'CAN_QUERY', 'CAN_MANAGE'], true, 'serving-endpoint', 404],
  ],
];

checkFacts('data platform: serving endpoints as the reference has them', [...CREATION, ...LOOKS], makeModels);
