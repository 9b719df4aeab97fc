import type { Vault } from '../../../kernel/auth/index.ts';
import { isList, type Json, type JsonMembers } from '../../../kernel/values/index.ts';
import { type FieldRules, readFields } from '../engine/fields.ts';
import { membersOf, textOf, textsOf } from '../engine/json.ts';
import { errors } from '../errors.ts';

/**
 * Kinds of destinations, by the member of `config` that selects them. Everything except mail addresses is secret: it is stored sealed and
 * never shown.
 */

export type DestinationType = 'EMAIL' | 'SLACK' | 'PAGERDUTY' | 'MICROSOFT_TEAMS' | 'WEBHOOK';

interface ConfigKind {
  readonly type: DestinationType;
  readonly fields: FieldRules;
  /** At least one of these groups must be complete. */
  readonly needs: readonly (readonly string[])[];
}

const text = { type: 'string', least: 1, most: 4096 } as const;
const texts = (...names: readonly string[]): FieldRules => Object.fromEntries(names.map((name) => [name, text]));

const CONFIG_KINDS: Readonly<Record<string, ConfigKind>> = {
  email: {
    type: 'EMAIL',
    fields: { addresses: { type: 'array', least: 1, most: 100 } },
    needs: [['addresses']],
  },
  slack: {
    type: 'SLACK',
    fields: texts('url', 'channel_id', 'oauth_token'),
    needs: [['url'], ['channel_id', 'oauth_token']],
  },
  pagerduty: { type: 'PAGERDUTY', fields: texts('integration_key'), needs: [['integration_key']] },
  microsoft_teams: {
    type: 'MICROSOFT_TEAMS',
    fields: texts('url', 'app_id', 'auth_secret', 'channel_url', 'tenant_id'),
    needs: [['url'], ['app_id', 'auth_secret', 'channel_url', 'tenant_id']],
  },
  generic_webhook: {
    type: 'WEBHOOK',
    fields: {
      ...texts('url', 'username', 'password', 'oauth_client_id', 'oauth_client_secret', 'oauth_token_url'),
      oauth_scopes: { type: 'array', most: 100 },
      oauth_audience: text,
    },
    needs: [['url']],
  },
};

const refused = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/** Validates `config` and returns what is stored of it: the selected member, the names of the fields that are set, and all of it sealed. */
export function sealConfig(vault: Pick<Vault, 'seal'>, sent: Json | undefined): JsonMembers {
  const members = membersOf(sent);
  const given = Object.keys(members).filter((name) => isPresent(members[name]) && name in CONFIG_KINDS);
  const [of, ...others] = given;
  const kind = of === undefined ? undefined : CONFIG_KINDS[of];
  if (of === undefined || !kind || others.length > 0)
    throw refused(`The field 'config' must have exactly one of ${Object.keys(CONFIG_KINDS).join(', ')}.`);
  const config = readFields(kind.fields, members[of]);
  if (!kind.needs.some((group) => group.every((name) => config[name] !== undefined)))
    throw refused(`The field 'config.${of}' must have ${kind.needs.map((group) => group.join(', ')).join('; or ')}.`);
  for (const name of ['url', 'channel_url', 'oauth_token_url']) checkUrl(of, name, config[name]);
  for (const name of ['addresses', 'oauth_scopes']) checkTexts(of, name, config[name]);
  if (of === 'generic_webhook') checkOAuth(config);
  if (config.password !== undefined && config.username === undefined)
    throw refused(`The field 'config.${of}.password' needs a 'username'.`);
  return {
    of,
    set: Object.keys(config),
    ...(of === 'email' && { addresses: textsOf(config.addresses) }),
    sealed: vault.seal(JSON.stringify(config)),
  };
}

const OAUTH = ['oauth_client_id', 'oauth_client_secret', 'oauth_token_url'] as const;

/** OAuth fields must form a complete OAuth login, and exclude any other login. */
function checkOAuth(config: JsonMembers): void {
  const given = Object.keys(config).filter((name) => name.startsWith('oauth_'));
  if (given.length === 0) return;
  const missing = OAUTH.find((name) => config[name] === undefined);
  if (missing !== undefined) throw refused(`The field 'config.generic_webhook.${missing}' is missing.`);
  if (config.username !== undefined)
    throw refused("The field 'config.generic_webhook' must have either a username or an OAuth login.");
}

const isPresent = (value: Json | undefined): boolean => value !== undefined && value !== null;

function checkUrl(of: string, name: string, value: Json | undefined): void {
  if (value === undefined) return;
  const url = URL.parse(String(value));
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return;
  throw refused(`The field 'config.${of}.${name}' must be a URL that starts with https:// or http://.`);
}

function checkTexts(of: string, name: string, value: Json | undefined): void {
  if (value === undefined) return;
  const isGood = (each: Json): boolean =>
    typeof each === 'string' && each.length <= 320 && (name !== 'addresses' || /^[^\s@]+@[^\s@]+$/.test(each));
  if (isList(value) && value.every(isGood)) return;
  throw refused(
    `The field 'config.${of}.${name}' must be a list of ${name === 'addresses' ? 'mail addresses' : 'texts'}.`,
  );
}

/** A config on the wire: secrets are only shown as set. */
export function configView(kept: JsonMembers): JsonMembers {
  const of = textOf(kept.of) ?? '';
  const shown = kept.addresses === undefined ? textsOf(kept.set).map((name) => [`${name}_set`, true]) : [];
  return { [of]: kept.addresses === undefined ? Object.fromEntries(shown) : { addresses: kept.addresses } };
}

export const typeOfConfig = (kept: JsonMembers): DestinationType =>
  CONFIG_KINDS[textOf(kept.of) ?? '']?.type ?? 'WEBHOOK';

/**
 * The complete config, including secrets. After the import of a portable snapshot without secrets, only the mail addresses, which are not
 * secret.
 */
export const openConfig = (vault: Pick<Vault, 'open'>, kept: JsonMembers): JsonMembers => ({
  ...(kept.addresses !== undefined && { addresses: kept.addresses }),
  ...membersOf(JSON.parse(vault.open(textOf(kept.sealed) ?? ''))),
});
