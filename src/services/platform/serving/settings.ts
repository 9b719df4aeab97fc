import { isObject, type Json, type JsonMembers } from '../../../kernel/values/index.ts';
import { type FieldRule, type FieldRules, readFields } from '../engine/fields.ts';
import { listOf } from '../engine/json.ts';
import { errors } from '../errors.ts';
import { CAPTURE, checkCaptured, completeMembers } from './config.ts';

/** Settings of an endpoint besides its configuration: tags, rate limits, the AI gateway, notifications. */

const MOST_TAGS = 50;

const TAG: FieldRule = {
  type: 'object',
  members: { key: { type: 'string', required: true, least: 1, most: 127 }, value: { type: 'string', most: 255 } },
};

const TAGS: FieldRule = { type: 'array', most: MOST_TAGS, items: TAG };

const CALLS = { type: 'integer', least: 0, most: 1_000_000_000 } as const;
const PERIOD = { type: 'string', required: true, words: ['minute'] } as const;
const MOST_LIMITS = 100;

const RATE_LIMITS: FieldRule = {
  type: 'array',
  most: MOST_LIMITS,
  items: {
    type: 'object',
    members: {
      calls: { ...CALLS, required: true },
      key: { type: 'string', words: ['user', 'endpoint'], default: 'endpoint' },
      renewal_period: PERIOD,
    },
  },
};

/** Limited, because every text of a query is searched for each of these words. */
const words: FieldRule = { type: 'array', most: 100, items: { type: 'string', least: 1, most: 200 } };

const GUARDRAIL: FieldRule = {
  type: 'object',
  members: {
    invalid_keywords: words,
    pii: { type: 'object', members: { behavior: { type: 'string', words: ['NONE', 'BLOCK', 'MASK'] } } },
    safety: { type: 'boolean' },
    valid_topics: words,
  },
};

const GATEWAY: FieldRules = {
  fallback_config: { type: 'object', members: { enabled: { type: 'boolean', required: true } } },
  guardrails: { type: 'object', members: { input: GUARDRAIL, output: GUARDRAIL } },
  inference_table_config: { type: 'object', members: CAPTURE },
  rate_limits: {
    type: 'array',
    most: MOST_LIMITS,
    items: {
      type: 'object',
      members: {
        calls: CALLS,
        tokens: CALLS,
        key: { type: 'string', words: ['user', 'endpoint', 'user_group', 'service_principal'], default: 'endpoint' },
        principal: { type: 'string', least: 1, most: 500 },
        renewal_period: PERIOD,
      },
    },
  },
  usage_tracking_config: { type: 'object', members: { enabled: { type: 'boolean' } } },
};

const addresses: FieldRule = { type: 'array', most: 100, items: { type: 'string', least: 3, most: 320 } };

const NOTIFICATIONS: FieldRules = { on_update_failure: addresses, on_update_success: addresses };

const FIELDS: FieldRules = {
  tags: TAGS,
  rate_limits: RATE_LIMITS,
  ai_gateway: { type: 'object' },
  email_notifications: { type: 'object' },
  route_optimized: { type: 'boolean' },
  budget_policy_id: { type: 'string', most: 100 },
  description: { type: 'string', most: 10_000 },
};

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

export interface SettingsDraft {
  readonly description: string;
  readonly tags: readonly JsonMembers[];
  readonly routeOptimized: boolean;
  readonly rateLimits?: readonly JsonMembers[];
  readonly aiGateway?: JsonMembers;
  readonly notifications?: JsonMembers;
  readonly budgetPolicyId?: string;
}

/** Settings of a new endpoint. */
export function readSettings(sent: unknown): SettingsDraft {
  const said = readFields(FIELDS, sent);
  const { budget_policy_id: budget, ai_gateway: gateway, email_notifications: notified } = said;
  return {
    description: String(said.description ?? ''),
    tags: checkedTags(asMembers(said.tags)),
    routeOptimized: said.route_optimized === true,
    ...(said.rate_limits !== undefined && { rateLimits: checkedLimits(asMembers(said.rate_limits), 'rate_limits') }),
    ...(gateway !== undefined && { aiGateway: readGateway(gateway, 'ai_gateway.') }),
    ...(notified !== undefined && { notifications: readNotifications(notified) }),
    ...(budget !== undefined && { budgetPolicyId: String(budget) }),
  };
}

const asMembers = (list: Json | undefined): readonly JsonMembers[] =>
  listOf(list).filter((each) => isObject(each)) as readonly JsonMembers[];

function checkedTags(tags: readonly JsonMembers[]): readonly JsonMembers[] {
  const keys = tags.map(({ key }) => key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw invalid(`The tag '${String(twice)}' is given twice.`);
  return tags;
}

/** Adds and removes tags by key. A key that is both removed and added is added. */
export function changedTags(before: readonly JsonMembers[], sent: unknown): readonly JsonMembers[] {
  const rules: FieldRules = {
    add_tags: TAGS,
    delete_tags: { type: 'array', most: MOST_TAGS, items: { type: 'string', most: 127 } },
  };
  const { add_tags, delete_tags } = readFields(rules, sent);
  const added = checkedTags(asMembers(add_tags));
  const gone = new Set([...listOf(delete_tags), ...added.map(({ key }) => key)]);
  const tags = [...before.filter(({ key }) => !gone.has(key as Json)), ...added];
  if (tags.length > MOST_TAGS) throw invalid(`An endpoint must have at most ${MOST_TAGS} tags.`);
  return tags;
}

export const readRateLimits = (sent: unknown): readonly JsonMembers[] =>
  checkedLimits(asMembers(readFields({ rate_limits: RATE_LIMITS }, sent).rate_limits), 'rate_limits');

/** At most one limit per key; in the gateway, per key and principal. */
function checkedLimits(limits: readonly JsonMembers[], at: string): readonly JsonMembers[] {
  const scopes = new Set<string>();
  for (const [index, { key, principal, calls, tokens }] of limits.entries()) {
    const where = `${at}[${index}]`;
    if (calls === undefined && tokens === undefined)
      throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `${where}.calls` });
    const needsPrincipal = key === 'user_group' || key === 'service_principal';
    if (needsPrincipal && principal === undefined)
      throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `${where}.principal` });
    if (key === 'endpoint' && principal !== undefined)
      throw invalid(`The field '${where}.principal' is not allowed for the key endpoint.`);
    const scope = JSON.stringify([key, principal ?? '', calls === undefined ? 'tokens' : 'calls']);
    if (scopes.has(scope)) throw invalid(`The field '${at}' has two limits for the key ${String(key)}.`);
    scopes.add(scope);
  }
  return limits;
}

export function readGateway(sent: unknown, at = ''): JsonMembers {
  const gateway = completeMembers(GATEWAY, sent, at);
  checkedLimits(asMembers(gateway.rate_limits), `${at}rate_limits`);
  const captured = gateway.inference_table_config;
  checkCaptured(`${at}inference_table_config`, isObject(captured) ? (captured as JsonMembers) : undefined);
  return gateway;
}

export const readNotifications = (sent: unknown): JsonMembers =>
  completeMembers(NOTIFICATIONS, sent, 'email_notifications.');
