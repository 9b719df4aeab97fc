import { checkFacts, type Fact, invalid, OK } from '../compute/facts.ts';
import { create, make, model, openai, served } from './facts.ts';
import { PATH } from './support.ts';

const EXTERNAL: readonly Fact[] = [
  [
    'an external model has a provider, a name and a task',
    async (world) =>
      Promise.all(
        ['provider', 'name', 'task'].map((field) =>
          make(world, served({ external_model: openai({ [field]: undefined }) })),
        ),
      ),
    [invalid('provider'), invalid('name'), invalid('task')],
  ],
  [
    'its name without dots and colons is that of the entity, its task that of the endpoint',
    async (world) => {
      const { task, pending_config } = await create(world, served({ external_model: openai() }));
      return [task, pending_config.served_entities[0].name];
    },
    ['llm/v1/chat', 'gpt-4-1-x'],
  ],
  [
    'a key that was sent as plain text is never shown, nor is it in the list',
    async (world) => {
      await create(world, served({ external_model: openai() }));
      const texts = [await world.ask('GET', `${PATH}/e`), await world.ask('GET', PATH)].map(({ text }) => text);
      return texts.map((text) => text.includes('very-secret') || text.includes('plaintext'));
    },
    [false, false],
  ],
  [
    'a provider needs its own configuration and a key',
    async (world) => [
      await make(world, served({ external_model: openai({ openai_config: undefined }) })),
      await make(world, served({ external_model: openai({ openai_config: {} }) })),
      await make(world, served({ external_model: openai({ provider: 'anthropic' }) })),
    ],
    [invalid('openai_config'), invalid('openai_api_key'), invalid('anthropic_config')],
  ],
  ...[
    ['ai21labs', { ai21labs_config: { ai21labs_api_key: '{{secrets/s/k}}' } }],
    [
      'amazon-bedrock',
      { amazon_bedrock_config: { aws_region: 'r', bedrock_provider: 'cohere', instance_profile_arn: 'a' } },
    ],
    ['anthropic', { anthropic_config: { anthropic_api_key_plaintext: 'k' } }],
    ['cohere', { cohere_config: { cohere_api_key_plaintext: 'k' } }],
    ['custom', { custom_provider_config: { custom_provider_url: 'http://127.0.0.1:1' } }],
    [
      'databricks-model-serving',
      {
        databricks_model_serving_config: {
          databricks_api_token: '{{secrets/s/k}}',
          databricks_workspace_url: 'http://127.0.0.1:1',
        },
      },
    ],
    [
      'google-cloud-vertex-ai',
      { google_cloud_vertex_ai_config: { private_key_plaintext: 'k', project_id: 'p', region: 'r' } },
    ],
    ['palm', { palm_config: { palm_api_key_plaintext: 'k' } }],
  ].map(
    ([provider, own]): Fact => [
      `there is the provider ${provider}`,
      (world) =>
        make(world, served({ external_model: { name: 'm', task: 'llm/v1/chat', provider, ...(own as object) } })),
      OK,
    ],
  ),
  [
    'there is no other provider',
    (world) => make(world, served({ external_model: openai({ provider: 'acme' }) })),
    invalid('provider'),
  ],
  [
    'there is no other task',
    (world) => make(world, served({ external_model: openai({ task: 'sing' }) })),
    invalid('task'),
  ],
  [
    'external models and others are not served together, nor are different tasks',
    async (world) => [
      await make(world, served({ external_model: openai() }, model())),
      await make(
        world,
        served(
          { name: 'a', external_model: openai() },
          { name: 'b', external_model: openai({ task: 'llm/v1/embeddings' }) },
        ),
      ),
    ],
    [invalid('not both'), invalid('same task')],
  ],
];

checkFacts('data platform: external models as the reference has them', [...EXTERNAL]);
