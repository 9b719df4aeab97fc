import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import type { RegisteredModel, Tag } from '../collections.ts';
import type { RegistryChange } from '../registry-changes.ts';

/** Events that webhooks of the open-source API can subscribe to: `ENTITY/ACTION`. */
export const OPEN_EVENTS = [
  'REGISTERED_MODEL/CREATED',
  'MODEL_VERSION/CREATED',
  'MODEL_VERSION_TAG/SET',
  'MODEL_VERSION_TAG/DELETED',
  'MODEL_VERSION_ALIAS/CREATED',
  'MODEL_VERSION_ALIAS/DELETED',
  'PROMPT/CREATED',
  'PROMPT_VERSION/CREATED',
  'PROMPT_TAG/SET',
  'PROMPT_TAG/DELETED',
  'PROMPT_VERSION_TAG/SET',
  'PROMPT_VERSION_TAG/DELETED',
  'PROMPT_ALIAS/CREATED',
  'PROMPT_ALIAS/DELETED',
  // The jar has no budgets, so only tests of a webhook send it.
  'BUDGET_POLICY/EXCEEDED',
] as const;

export type OpenEvent = (typeof OPEN_EVENTS)[number];

export interface OpenMessage {
  readonly event: OpenEvent;
  readonly data: JsonMembers;
}

/** A registered model with this tag is a prompt. */
const IS_PROMPT = 'mlflow.prompt.is_prompt';
const TEMPLATE = 'mlflow.prompt.text';

const isPrompt = ({ tags }: Pick<RegisteredModel, 'tags'>): boolean =>
  tags.some(({ key, value }) => key === IS_PROMPT && value.toLowerCase() === 'true');

const mapOf = (tags: readonly Tag[]): JsonMembers => Object.fromEntries(tags.map(({ key, value }) => [key, value]));

/** The message for a registry event; undefined if no open-source event exists for it. */
export function openMessageOf(happening: RegistryChange): OpenMessage | undefined {
  const { model } = happening;
  const { name } = model;
  const prompt = isPrompt(model);
  const number = 'version' in happening ? String(happening.version.number) : undefined;
  switch (happening.what) {
    case 'model-created': {
      const data = omitAbsent({ name, tags: mapOf(model.tags), description: model.description });
      return { event: prompt ? 'PROMPT/CREATED' : 'REGISTERED_MODEL/CREATED', data };
    }
    case 'version-created': {
      const { source, runId, tags, description } = happening.version;
      const common = { name, version: number, tags: mapOf(tags), description };
      if (!prompt) return { event: 'MODEL_VERSION/CREATED', data: omitAbsent({ ...common, source, run_id: runId }) };
      const template = tags.find(({ key }) => key === TEMPLATE)?.value;
      return { event: 'PROMPT_VERSION/CREATED', data: omitAbsent({ ...common, template }) };
    }
    case 'version-tag-set':
      return {
        event: prompt ? 'PROMPT_VERSION_TAG/SET' : 'MODEL_VERSION_TAG/SET',
        data: omitAbsent({ name, version: number, ...happening.tag }),
      };
    case 'version-tag-deleted':
      return {
        event: prompt ? 'PROMPT_VERSION_TAG/DELETED' : 'MODEL_VERSION_TAG/DELETED',
        data: omitAbsent({ name, version: number, key: happening.key }),
      };
    case 'model-tag-set':
      return prompt ? { event: 'PROMPT_TAG/SET', data: { name, ...happening.tag } } : undefined;
    case 'model-tag-deleted':
      return prompt ? { event: 'PROMPT_TAG/DELETED', data: { name, key: happening.key } } : undefined;
    case 'alias-set':
      return {
        event: prompt ? 'PROMPT_ALIAS/CREATED' : 'MODEL_VERSION_ALIAS/CREATED',
        data: { name, alias: happening.alias, version: String(happening.number) },
      };
    case 'alias-deleted':
      return {
        event: prompt ? 'PROMPT_ALIAS/DELETED' : 'MODEL_VERSION_ALIAS/DELETED',
        data: { name, alias: happening.alias },
      };
    default:
      return undefined;
  }
}

/** Example payload for a test of a webhook. */
export function exampleOf(event: OpenEvent): JsonMembers {
  const [entity = '', action = ''] = event.split('/');
  const name = entity.startsWith('PROMPT') ? 'example_prompt' : 'example_model';
  if (entity === 'BUDGET_POLICY') return { budget_policy_id: 'example_policy', current_spend: 1, budget_amount: 1 };
  const hasVersion = entity.includes('_VERSION') && !entity.endsWith('ALIAS');
  return omitAbsent({
    name,
    version: hasVersion || (entity.endsWith('ALIAS') && action === 'CREATED') ? '1' : undefined,
    key: entity.endsWith('TAG') ? 'example_key' : undefined,
    value: entity.endsWith('TAG') && action === 'SET' ? 'example_value' : undefined,
    alias: entity.endsWith('ALIAS') ? 'example_alias' : undefined,
    source: entity === 'MODEL_VERSION' ? 'dbfs:/example' : undefined,
    run_id: entity === 'MODEL_VERSION' ? 'abcd1234abcd5678' : undefined,
    template: entity === 'PROMPT_VERSION' ? 'Hello {{name}}!' : undefined,
    tags: action === 'CREATED' && !entity.endsWith('ALIAS') ? { example_key: 'example_value' } : undefined,
  });
}
