import { expect } from 'vitest';
import { checkFacts, type Fact, invalid, OK } from '../compute/facts.ts';
import { good, refusal } from '../support.ts';
import { CONFLICT, create, get, make, model, put, served } from './facts.ts';
import { makeModels, PATH } from './support.ts';

const UPDATES: readonly Fact[] = [
  [
    'an update takes 5 minutes; the configuration before answers meanwhile',
    async (world) => {
      await create(world, served(model()));
      await world.advance('299s');
      const before = (await get(world)).state;
      await world.advance('1s');
      const after = await get(world);
      await put(world, 'config', { served_entities: [model({ entity_version: '2' })] });
      const during = await get(world);
      return [
        before,
        after.state,
        after.pending_config,
        during.state,
        during.config.config_version,
        during.pending_config.config_version,
        during.pending_config.start_time - after.last_updated_timestamp,
      ];
    },
    [
      { ready: 'NOT_READY', config_update: 'IN_PROGRESS' },
      { ready: 'READY', config_update: 'NOT_UPDATING' },
      undefined,
      { ready: 'READY', config_update: 'IN_PROGRESS' },
      1,
      2,
      0,
    ],
  ],
  [
    'while an update runs another one is refused',
    async (world) => {
      await create(world, served(model()));
      return put(world, 'config', { served_entities: [model()] });
    },
    CONFLICT,
  ],
  [
    'an entity that cannot be deployed fails the update, aborts the others, and leaves what was there',
    async (world) => {
      await create(world, served(model()));
      await world.advance('5m');
      const environment_vars = { KEY: '{{secrets/none/none}}' };
      await put(world, 'config', { served_entities: [model({ name: 'a', environment_vars }), model({ name: 'b' })] });
      await world.advance('5m');
      const { state, config: kept, pending_config } = await get(world);
      return [state, kept.config_version, pending_config.served_entities.map((each: { state: unknown }) => each.state)];
    },
    [
      { ready: 'READY', config_update: 'UPDATE_FAILED' },
      1,
      [
        { deployment: 'DEPLOYMENT_FAILED', deployment_state_message: expect.stringContaining('{{secrets/none/none}}') },
        { deployment: 'DEPLOYMENT_ABORTED', deployment_state_message: expect.any(String) },
      ],
    ],
  ],
  [
    'after a failure a new update is possible',
    async (world) => {
      await create(world, served(model({ environment_vars: { CLOUDJAR_DEPLOYMENT_ERROR: 'no such package' } })));
      await world.advance('5m');
      const failed = await get(world);
      const again = await put(world, 'config', { served_entities: [model()] });
      await world.advance('5m');
      const { state, config: now, pending_config } = await get(world);
      return [
        failed.state,
        failed.pending_config.served_entities[0].state.deployment_state_message,
        again,
        state,
        now.config_version,
        pending_config,
      ];
    },
    [
      { ready: 'NOT_READY', config_update: 'UPDATE_FAILED' },
      'no such package',
      OK,
      { ready: 'READY', config_update: 'NOT_UPDATING' },
      2,
      undefined,
    ],
  ],
  [
    'an endpoint of provisioned throughput has model units',
    async (world) => {
      const units = { served_entities: [{ entity_name: 'm', provisioned_model_units: 50 }] };
      const made = await good(world.ask('POST', `${PATH}/pt`, { name: 'e', config: units }));
      await world.advance('5m');
      const changed = await world.ask('PUT', `${PATH}/pt/e/config`, {
        config: { served_entities: [{ entity_name: 'm', provisioned_model_units: 100 }] },
      });
      const wrong = await world.ask('POST', `${PATH}/pt`, {
        name: 'f',
        config: { served_entities: [{ entity_name: 'm' }] },
      });
      return [
        made.pending_config.served_entities[0].provisioned_model_units,
        changed.body.pending_config.served_entities[0].provisioned_model_units,
        refusal(wrong),
      ];
    },
    [50, 100, invalid('provisioned_model_units')],
  ],
  [
    'an inference table is switched off before it is another one',
    async (world) => {
      const to = (catalog_name: string, enabled = true) => ({
        served_entities: [model()],
        auto_capture_config: { catalog_name, schema_name: 's', table_name_prefix: 'p', enabled },
      });
      await create(world, { config: to('a') });
      await world.advance('5m');
      const refusedOnce = await put(world, 'config', to('b'));
      await put(world, 'config', to('a', false));
      await world.advance('5m');
      return [refusedOnce, await put(world, 'config', to('b'))];
    },
    [invalid('cannot be changed while'), OK],
  ],
];

const CHANGES: readonly Fact[] = [
  [
    'tags are added and removed by key',
    async (world) => {
      await create(world, { tags: [{ key: 'a', value: '1' }, { key: 'b' }] });
      const body = { add_tags: [{ key: 'a', value: '2' }, { key: 'c' }], delete_tags: ['b'] };
      return good(world.ask('PATCH', `${PATH}/e/tags`, body));
    },
    { tags: [{ key: 'a', value: '2' }, { key: 'c' }] },
  ],
  ['a tag has a key', (world) => make(world, { tags: [{ value: 'v' }] }), invalid('key')],
  [
    'rate limits are calls per minute, of a user or of the endpoint',
    async (world) => {
      await create(world);
      const limit = (rest: object) =>
        put(world, 'rate-limits', { rate_limits: [{ calls: 1, renewal_period: 'minute', ...rest }] });
      return [
        await limit({}),
        await limit({ key: 'user' }),
        await limit({ key: 'group' }),
        await limit({ renewal_period: 'hour' }),
        await limit({ calls: undefined }),
      ];
    },
    [OK, OK, invalid('key'), invalid('renewal_period'), invalid('calls')],
  ],
  [
    'the AI gateway also limits groups and service principals, by name',
    async (world) => {
      await create(world);
      const limit = (rest: object) =>
        put(world, 'ai-gateway', { rate_limits: [{ calls: 1, renewal_period: 'minute', ...rest }] });
      return [
        await limit({ key: 'user_group', principal: 'g' }),
        await limit({ key: 'service_principal' }),
        await limit({ key: 'endpoint', principal: 'g' }),
        await limit({ calls: undefined, tokens: 5 }),
      ];
    },
    [OK, invalid('principal'), invalid('principal'), OK],
  ],
  [
    'the AI gateway answers with what it is now',
    async ({ ask }) => {
      await good(ask('POST', PATH, { name: 'e' }));
      const gateway = {
        guardrails: { input: { invalid_keywords: ['x'], pii: { behavior: 'BLOCK' } } },
        fallback_config: { enabled: true },
      };
      const put1 = await good(ask('PUT', `${PATH}/e/ai-gateway`, gateway));
      return [put1, (await good(ask('GET', `${PATH}/e`))).ai_gateway];
    },
    [
      {
        guardrails: { input: { invalid_keywords: ['x'], pii: { behavior: 'BLOCK' } } },
        fallback_config: { enabled: true },
      },
      {
        guardrails: { input: { invalid_keywords: ['x'], pii: { behavior: 'BLOCK' } } },
        fallback_config: { enabled: true },
      },
    ],
  ],
  [
    'an inference table of the AI gateway needs a catalog and a schema',
    async (world) => {
      await create(world);
      return put(world, 'ai-gateway', { inference_table_config: { enabled: true, catalog_name: 'c' } });
    },
    invalid('schema_name'),
  ],
  [
    'notifications are changed',
    async ({ ask }) => {
      await good(ask('POST', PATH, { name: 'e' }));
      const email_notifications = { on_update_success: ['a@vendor.example'] };
      return good(ask('PATCH', `${PATH}/e/notifications`, { email_notifications }));
    },
    { name: 'e', email_notifications: { on_update_success: ['a@vendor.example'] } },
  ],
  [
    'all changes of an unknown endpoint find nothing',
    async ({ ask }) =>
      Promise.all(
        [
          ['PUT', 'config'],
          ['PATCH', 'tags'],
          ['PUT', 'rate-limits'],
          ['PUT', 'ai-gateway'],
          ['PATCH', 'notifications'],
          ['GET', 'metrics'],
          ['GET', 'openapi'],
          ['GET', 'served-models/m/logs'],
        ].map(
          async ([method = '', path]) =>
            (await ask(method, `${PATH}/none/${path}`, method === 'GET' ? undefined : {})).status,
        ),
      ),
    Array.from({ length: 8 }, () => 404),
  ],
];

checkFacts(
  'data platform: updates of serving endpoints as the reference has them',
  [...UPDATES, ...CHANGES],
  makeModels,
);
