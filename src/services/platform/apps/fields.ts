import { isObject, type JsonMembers } from '../../../kernel/values/index.ts';
import { isKnownScope } from '../access/scopes.ts';
import { completeFields, type FieldRule, type FieldRules, readFields } from '../engine/fields.ts';
import { listOf, membersOf, textsOf } from '../engine/json.ts';
import { errors } from '../errors.ts';

/** Fields of an app and of a deployment. */

const NAME = /^[a-z0-9-]{2,30}$/;

export const isAppName = (name: string): boolean => NAME.test(name);

export function checkAppName(name: string): string {
  if (isAppName(name)) return name;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `The name of an app must be 2 to 30 lower-case letters, digits and hyphens, not '${name.slice(0, 100)}'.`,
  });
}

const text = { type: 'string', required: true, least: 1, most: 500 } as const;
const permission = (...words: readonly string[]): FieldRule => ({ type: 'string', required: true, words });
const kind = (members: FieldRules): FieldRule => ({ type: 'object', members });

/** Resources that an app can be given access to, by kind. */
export const RESOURCE_KINDS: Readonly<Record<string, FieldRule>> = {
  secret: kind({ scope: text, key: text, permission: permission('READ', 'WRITE', 'MANAGE') }),
  sql_warehouse: kind({ id: text, permission: permission('CAN_USE', 'CAN_MANAGE', 'IS_OWNER') }),
  serving_endpoint: kind({ name: text, permission: permission('CAN_VIEW', 'CAN_QUERY', 'CAN_MANAGE') }),
  job: kind({ id: text, permission: permission('CAN_VIEW', 'CAN_MANAGE_RUN', 'CAN_MANAGE', 'IS_OWNER') }),
  uc_securable: kind({
    securable_full_name: text,
    securable_type: permission('VOLUME', 'TABLE', 'FUNCTION', 'CONNECTION'),
    permission: permission('READ_VOLUME', 'WRITE_VOLUME', 'SELECT', 'MODIFY', 'EXECUTE', 'USE_CONNECTION', 'MANAGE'),
  }),
  genie_space: kind({
    name: text,
    space_id: text,
    permission: permission('CAN_VIEW', 'CAN_RUN', 'CAN_EDIT', 'CAN_MANAGE'),
  }),
  experiment: kind({ experiment_id: text, permission: permission('CAN_READ', 'CAN_EDIT', 'CAN_MANAGE') }),
  database: kind({ database_name: text, instance_name: text, permission: permission('CAN_CONNECT_AND_CREATE') }),
  postgres: { type: 'object' },
  app: kind({ name: text, permission: { type: 'string', words: ['CAN_USE', 'CAN_MANAGE'] } }),
};

const MOST_RESOURCES = 20;

const RESOURCE: FieldRule = {
  type: 'object',
  members: {
    name: text,
    description: { type: 'string', most: 1000 },
    ...RESOURCE_KINDS,
  },
};

export const APP_FIELDS: FieldRules = {
  description: { type: 'string', most: 1000, default: '' },
  resources: { type: 'array', most: MOST_RESOURCES, items: RESOURCE },
  user_api_scopes: { type: 'array', most: 100, items: { type: 'string', least: 1, most: 100 } },
  budget_policy_id: { type: 'string', most: 100 },
  usage_policy_id: { type: 'string', most: 100 },
  compute_size: { type: 'string', words: ['MEDIUM', 'LARGE', 'XLARGE', 'LIQUID'], default: 'MEDIUM' },
  space: { type: 'string', least: 1, most: 100, fixed: true },
};

/** Validates the fields of the request; for a new app, adds defaults. */
export function readApp(sent: unknown, isNew: boolean, at = ''): JsonMembers {
  const said = readFields(APP_FIELDS, sent, at);
  checkResources(said, at);
  const unknown = textsOf(said.user_api_scopes).find((scope) => !isKnownScope(scope));
  if (unknown !== undefined)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `'${unknown}' in '${at}user_api_scopes' is not a known scope.` });
  return isNew ? completeFields(APP_FIELDS, said, at) : said;
}

/** The kind of a resource, and its fields. */
export function kindOfResource(resource: JsonMembers): { readonly kind: string; readonly of: JsonMembers } | undefined {
  const [found] = Object.keys(RESOURCE_KINDS).filter((name) => isObject(resource[name]));
  return found === undefined ? undefined : { kind: found, of: membersOf(resource[found]) };
}

function checkResources({ resources }: JsonMembers, at: string): void {
  const names = new Set<unknown>();
  for (const [index, each] of listOf(resources).entries()) {
    const resource = membersOf(each);
    const where = `${at}resources[${index}]`;
    const kinds = Object.keys(RESOURCE_KINDS).filter((name) => isObject(resource[name]));
    if (kinds.length !== 1)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The field '${where}' must have exactly one of ${Object.keys(RESOURCE_KINDS).join(', ')}.`,
      });
    if (names.has(resource.name))
      throw errors.INVALID_PARAMETER_VALUE({ reason: `The app has two resources named '${String(resource.name)}'.` });
    names.add(resource.name);
  }
}

const VARIABLE: FieldRule = {
  type: 'object',
  members: {
    name: { type: 'string', required: true, least: 1, most: 255 },
    value: { type: 'string', most: 10_000 },
    value_from: { type: 'string', most: 255 },
  },
};

const DEPLOYMENT_FIELDS: FieldRules = {
  source_code_path: { type: 'string', least: 1, most: 4096 },
  mode: { type: 'string', words: ['SNAPSHOT', 'AUTO_SYNC'], default: 'SNAPSHOT' },
  env_vars: { type: 'array', most: 100, items: VARIABLE },
  command: { type: 'array', most: 100, items: { type: 'string', most: 4096 } },
  git_source: {
    type: 'object',
    members: {
      git_repository: { type: 'object' },
      branch: { type: 'string', least: 1, most: 255 },
      tag: { type: 'string', least: 1, most: 255 },
      commit: { type: 'string', least: 1, most: 100 },
      source_code_path: { type: 'string', most: 4096 },
    },
  },
};

export function readDeployment(sent: unknown): JsonMembers {
  const fields = completeFields(DEPLOYMENT_FIELDS, readFields(DEPLOYMENT_FIELDS, sent));
  for (const [index, each] of listOf(fields.env_vars).entries()) {
    const { value, value_from } = membersOf(each);
    if ((value === undefined) === (value_from === undefined))
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The field 'env_vars[${index}]' must have exactly one of value and value_from.`,
      });
  }
  return fields;
}
