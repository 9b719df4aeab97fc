import type { Vault } from '../../../kernel/auth/index.ts';
import { isObject, type Json, type JsonMembers } from '../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { membersOf } from '../engine/json.ts';
import { errors } from '../errors.ts';

/** Models of other providers: the configuration fields of each provider, and which of them are secret. */

export const TASKS = ['llm/v1/chat', 'llm/v1/completions', 'llm/v1/embeddings'] as const;
export type Task = (typeof TASKS)[number];

const LONGEST = 2000;
const text = { type: 'string', least: 1, most: LONGEST } as const;
const needed = { ...text, required: true } as const;

/** A key is given either as a reference to a secret, or as plain text in a second field. */
const keys = (...names: readonly string[]): FieldRules =>
  Object.fromEntries(names.flatMap((name) => [name, `${name}_plaintext`]).map((name) => [name, text]));

interface Provider {
  readonly config: string;
  readonly fields: FieldRules;
  /** One field of each of these groups is required. */
  readonly oneOf?: readonly (readonly string[])[];
}

const either = (name: string): readonly string[] => [name, `${name}_plaintext`];

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  ai21labs: { config: 'ai21labs_config', fields: keys('ai21labs_api_key'), oneOf: [either('ai21labs_api_key')] },
  'amazon-bedrock': {
    config: 'amazon_bedrock_config',
    fields: {
      ...keys('aws_access_key_id', 'aws_secret_access_key'),
      aws_region: needed,
      bedrock_provider: { ...needed, words: ['ai21labs', 'amazon', 'anthropic', 'cohere'] },
      instance_profile_arn: text,
    },
  },
  anthropic: { config: 'anthropic_config', fields: keys('anthropic_api_key'), oneOf: [either('anthropic_api_key')] },
  cohere: {
    config: 'cohere_config',
    fields: { ...keys('cohere_api_key'), cohere_api_base: text },
    oneOf: [either('cohere_api_key')],
  },
  custom: {
    config: 'custom_provider_config',
    fields: {
      custom_provider_url: needed,
      api_key_auth: { type: 'object', members: { key: needed, ...keys('value') } },
      bearer_token_auth: { type: 'object', members: keys('token') },
    },
  },
  'databricks-model-serving': {
    config: 'databricks_model_serving_config',
    fields: { ...keys('databricks_api_token'), databricks_workspace_url: needed },
    oneOf: [either('databricks_api_token')],
  },
  'google-cloud-vertex-ai': {
    config: 'google_cloud_vertex_ai_config',
    fields: { ...keys('private_key'), project_id: needed, region: needed },
    oneOf: [either('private_key')],
  },
  openai: {
    config: 'openai_config',
    fields: {
      ...keys('openai_api_key', 'microsoft_entra_client_secret'),
      microsoft_entra_client_id: text,
      microsoft_entra_tenant_id: text,
      openai_api_base: text,
      openai_api_type: text,
      openai_api_version: text,
      openai_deployment_name: text,
      openai_organization: text,
    },
    oneOf: [[...either('openai_api_key'), ...either('microsoft_entra_client_secret')]],
  },
  palm: { config: 'palm_config', fields: keys('palm_api_key'), oneOf: [either('palm_api_key')] },
};

const FIELDS: FieldRules = {
  name: { type: 'string', required: true, least: 1, most: 255 },
  provider: { type: 'string', required: true, words: Object.keys(PROVIDERS) },
  task: { type: 'string', required: true, words: TASKS },
};

export interface ReadModel {
  /** Without secret values. */
  readonly model: JsonMembers;
  readonly sealed?: string;
}

/** `at` names the field in messages. Only the configuration of the model's own provider is stored. */
export function readExternalModel(vault: Pick<Vault, 'seal'>, sent: unknown, at: string): ReadModel {
  const head = completeFields(FIELDS, readFields(FIELDS, sent, at), at);
  const { config, fields, oneOf = [] } = PROVIDERS[head.provider as string] as Provider;
  const given = isObject(sent) && Object.hasOwn(sent, config) ? sent[config] : undefined;
  if (given === undefined || given === null) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: at + config });
  const own = `${at}${config}.`;
  const said = completeFields(fields, readFields(fields, given, own), own);
  for (const names of oneOf) {
    if (names.some((name) => said[name] !== undefined)) continue;
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `One of ${names.map((name) => own + name).join(', ')} is required.`,
    });
  }
  const { kept, secrets } = splitSecrets(said, config);
  return {
    model: { ...head, [config]: kept },
    ...(secrets.length > 0 && { sealed: vault.seal(JSON.stringify(Object.fromEntries(secrets))) }),
  };
}

const PLAIN_TEXT = '_plaintext';

function splitSecrets(
  members: JsonMembers,
  at: string,
): { readonly kept: JsonMembers; readonly secrets: readonly (readonly [string, Json])[] } {
  const kept: Record<string, Json> = {};
  const secrets: (readonly [string, Json])[] = [];
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const path = `${at}.${name}`;
    if (name.endsWith(PLAIN_TEXT)) secrets.push([path, value]);
    else if (isObject(value)) {
      const inner = splitSecrets(membersOf(value), path);
      kept[name] = inner.kept as Json;
      secrets.push(...inner.secrets);
    } else kept[name] = value;
  }
  return { kept, secrets };
}
