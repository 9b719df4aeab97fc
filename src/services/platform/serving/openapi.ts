import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { ServingEndpoint } from './collections.ts';
import { taskOf } from './view.ts';

/** The OpenAPI document of one endpoint: the request bodies that it accepts, and its responses. */

const list = { type: 'array', items: {} };
const text = { type: 'string' };
const object = (properties: JsonMembers, ...required: readonly string[]): JsonMembers => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});

const PREDICT: JsonMembers = {
  oneOf: [
    object({ dataframe_split: object({ columns: list, index: list, data: list }, 'data') }, 'dataframe_split'),
    object({ dataframe_records: { type: 'array', items: { type: 'object' } } }, 'dataframe_records'),
    object({ instances: list }, 'instances'),
    object({ inputs: {} }, 'inputs'),
  ],
};

const INPUTS: Readonly<Record<string, JsonMembers>> = {
  'llm/v1/chat': object(
    { messages: { type: 'array', items: object({ role: text, content: text }, 'role') }, stream: { type: 'boolean' } },
    'messages',
  ),
  'llm/v1/completions': object({ prompt: {}, stream: { type: 'boolean' } }, 'prompt'),
  'llm/v1/embeddings': object({ input: {} }, 'input'),
};

const USAGE = object({
  prompt_tokens: { type: 'integer' },
  completion_tokens: { type: 'integer' },
  total_tokens: { type: 'integer' },
});
const CHOICES = object({
  id: text,
  object: text,
  created: { type: 'integer' },
  model: text,
  choices: list,
  usage: USAGE,
});

const ANSWERS: Readonly<Record<string, JsonMembers>> = {
  'llm/v1/chat': CHOICES,
  'llm/v1/completions': CHOICES,
  'llm/v1/embeddings': object({ object: text, data: list, model: text, usage: USAGE }),
};

const json = (schema: JsonMembers): JsonMembers => ({ 'application/json': { schema } });

export function openApiOf(origin: string, endpoint: ServingEndpoint): JsonMembers {
  const { name, config, pending } = endpoint;
  const task = taskOf(endpoint) ?? '';
  const operation = (summary: string): JsonMembers => ({
    post: {
      summary,
      requestBody: { required: true, content: json(INPUTS[task] ?? PREDICT) },
      responses: {
        200: {
          description: 'Successful operation',
          content: json(ANSWERS[task] ?? object({ predictions: list }, 'predictions')),
        },
      },
    },
  });
  const served = (config ?? pending)?.entities ?? [];
  const ofEntities = served.map((entity) => [
    `/${name}/served-models/${entity.name}/invocations`,
    operation(`Queries ${entity.name}`),
  ]);
  return {
    openapi: '3.1.0',
    info: { title: name, version: String((config ?? pending)?.version ?? 0) },
    servers: [{ url: `${origin}/serving-endpoints` }],
    paths: { [`/${name}/invocations`]: operation(`Queries ${name}`), ...Object.fromEntries(ofEntities) },
  };
}
