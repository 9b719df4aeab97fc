import { checkFacts, type Fact, invalid, keys, malformed, OK } from '../compute/facts.ts';
import { refusal } from '../support.ts';
import { config, make, model, openai, overBound, routes, served } from './facts.ts';
import { makeModels, PATH } from './support.ts';

const ENTITIES: readonly Fact[] = [
  [
    'an entity is called by its name and version unless it has a name',
    async (world) => (await config(world, served(model({ entity_name: 'main.default.m' })))).served_entities[0].name,
    'main-default-m-1',
  ],
  [
    'what is not said has its default',
    async (world) =>
      keys(
        (async () => (await config(world, served(model()))).served_entities[0])(),
        'workload_size',
        'workload_type',
        'scale_to_zero_enabled',
      ),
    { workload_size: 'Small', workload_type: 'CPU', scale_to_zero_enabled: false },
  ],
  [
    'served_models are entities of an older form',
    async (world) => {
      const body = {
        served_models: [{ model_name: 'm', model_version: '2', scale_to_zero_enabled: true, workload_size: 'Large' }],
      };
      const { served_entities, served_models } = await config(world, { config: body });
      return [served_entities[0].entity_name, served_models[0].model_version, served_models[0].name];
    },
    ['m', '2', 'm-2'],
  ],
  [
    'a served model needs model_name, model_version and scale_to_zero_enabled',
    async (world) => make(world, { config: { served_models: [{ model_name: 'm', model_version: '1' }] } }),
    invalid('scale_to_zero_enabled'),
  ],
  [
    'both forms together are refused',
    async (world) => make(world, { config: { served_entities: [model()], served_models: [] } }),
    invalid('Only one of'),
  ],
  ['an endpoint serves at least one entity', (world) => make(world, served()), invalid('at least one')],
  [
    'an endpoint serves 10 entities at most',
    async (world) => {
      const some = (count: number) => served(...Array.from({ length: count }, (_, n) => model({ name: `n${n}` })));
      return [await make(world, some(10)), await make(world, { ...some(11), name: 'f' })];
    },
    [OK, invalid('at most 10')],
  ],
  [
    'names of entities are unique in an endpoint',
    (world) => make(world, served(model(), model())),
    invalid("the name 'm-1' twice"),
  ],
  [
    'an entity is a model or an external model',
    async (world) => [await make(world, served({})), await make(world, served(model({ external_model: openai() })))],
    [invalid('Exactly one of'), invalid('Exactly one of')],
  ],
  ...['Small', 'Medium', 'Large'].map(
    (workload_size): Fact => [
      `there is the size ${workload_size}`,
      (world) => make(world, served(model({ workload_size }))),
      OK,
    ],
  ),
  [
    'there is no other size',
    (world) => make(world, served(model({ workload_size: 'Huge' }))),
    invalid('workload_size'),
  ],
  ...['CPU', 'GPU_SMALL', 'GPU_MEDIUM', 'GPU_LARGE', 'MULTIGPU_MEDIUM', 'CPU_MEDIUM', 'CPU_LARGE', 'GPU_XLARGE'].map(
    (workload_type): Fact => [
      `there is the type ${workload_type}`,
      (world) => make(world, served(model({ workload_type }))),
      OK,
    ],
  ),
  ['there is no other type', (world) => make(world, served(model({ workload_type: 'TPU' }))), invalid('workload_type')],
  [
    'provisioned concurrency is a multiple of 4',
    async (world) => [
      await make(world, served(model({ min_provisioned_concurrency: 4, max_provisioned_concurrency: 12 }))),
      await make(world, { ...served(model({ max_provisioned_concurrency: 6 })), name: 'f' }),
    ],
    [OK, invalid('multiple of 4')],
  ],
  [
    'the least concurrency does not exceed the most',
    (world) => make(world, served(model({ min_provisioned_concurrency: 16, max_provisioned_concurrency: 8 }))),
    invalid('must not exceed'),
  ],
  [
    'a size and a concurrency together are refused',
    (world) => make(world, served(model({ workload_size: 'Small', max_provisioned_concurrency: 8 }))),
    invalid('together'),
  ],
  [
    'one entity is provisioned for 200 requests at once at most',
    async (world) => {
      const reply = await world.ask('POST', PATH, {
        name: 'e',
        ...served(model({ max_provisioned_concurrency: 204 })),
      });
      const { limit, value, endpoint } = reply.body.details[0].metadata;
      const passes = await make(world, served(model({ max_provisioned_concurrency: 200 })));
      return [reply.status, limit, value, endpoint, passes];
    },
    [400, 'platform.serving-model-concurrency', '200', 'e', OK],
  ],
  [
    'an endpoint is provisioned for 200 requests at once at most',
    async (world) => {
      const some = (each: number) =>
        served(
          model({ name: 'a', max_provisioned_concurrency: 100 }),
          model({ name: 'b', max_provisioned_concurrency: each }),
        );
      const reply = await world.ask('POST', PATH, { name: 'e', ...some(104) });
      return [refusal(reply), reply.body.details[0].metadata.limit, await make(world, some(100))];
    },
    [overBound, 'platform.serving-concurrency', OK],
  ],
  [
    'environment variables are texts with names',
    async (world) => [
      await make(world, served(model({ environment_vars: { A: 1 } }))),
      await make(world, served(model({ environment_vars: { 'a b': 'x' } }))),
      await make(
        world,
        served(
          model({
            environment_vars: Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`A${n}`, 'x'.repeat(10_000)])),
          }),
        ),
      ),
      await make(world, served(model({ environment_vars: { A_1: 'x' } }))),
    ],
    [invalid('environment_vars.A'), invalid('not a valid variable name'), invalid('65536 characters'), OK],
  ],
  [
    'a field of another type is malformed',
    (world) => make(world, served(model({ entity_name: 5 }))),
    malformed('config.served_entities'),
  ],
];

const TRAFFIC: readonly Fact[] = [
  [
    'without traffic_config the first entity gets everything',
    async (world) => (await config(world, served(model({ name: 'a' }), model({ name: 'b' })))).traffic_config.routes,
    [{ served_entity_name: 'a', served_model_name: 'a', traffic_percentage: 100 }],
  ],
  ...(
    [
      [
        'the percentages sum to 100',
        [
          ['a', 50],
          ['b', 40],
        ],
        'sum to 100, not 90',
      ],
      [
        'a percentage is not negative',
        [
          ['a', 110],
          ['b', -10],
        ],
        'traffic_percentage',
      ],
      [
        'a route names an entity of the endpoint',
        [
          ['a', 50],
          ['z', 50],
        ],
        "names 'z'",
      ],
      [
        'no entity has two routes',
        [
          ['a', 50],
          ['a', 50],
        ],
        'twice',
      ],
    ] as const
  ).map(
    ([sentence, given, message]): Fact => [
      sentence,
      (world) =>
        make(world, { config: { served_entities: [model({ name: 'a' }), model({ name: 'b' })], ...routes(...given) } }),
      invalid(message),
    ],
  ),
];

checkFacts('data platform: served entities as the reference has them', [...ENTITIES, ...TRAFFIC], makeModels);
