import { knownOrigin } from '../../../../../kernel/auth/index.ts';
import type { JsonMembers } from '../../../../../kernel/values/index.ts';
import { listOf, membersOf, textOf } from '../../../engine/json.ts';
import { errors } from '../../../errors.ts';
import type { Actor, PlatformCall } from '../../../jar.ts';
import { rangeOf } from '../../../network/addresses.ts';
import type { SecurableKind } from '../../core/kind.ts';
import type { Securable } from '../../core/securables.ts';
import { textsIn } from '../../core/texts.ts';
import { cloudAndRegionOf, globalIdOf } from '../global-id.ts';
import { removePartner, storePartner } from '../partners.ts';
import { dropPolicies } from './policies.ts';
import { isLive, LATEST_END, newToken, type RecipientToken, storeTokens, tokensOf } from './tokens.ts';

const AUTHENTICATION = ['TOKEN', 'DATABRICKS', 'OAUTH_CLIENT_CREDENTIALS', 'OIDC_FEDERATION', 'EMAIL'] as const;
const MOST_ADDRESSES = 100;
const text = (most: number) => ({ type: 'string', most }) as const;

/**
 * Recipients: parties that shares are granted to. A recipient that is another metastore of this jar finds its shares there, others use the
 * open protocol.
 */
export const RECIPIENTS: SecurableKind = {
  type: 'recipient',
  above: 'metastore',
  idField: 'id',
  limits: ['recipients'],
  creates: 'CREATE_RECIPIENT',
  renames: true,
  fields: {
    authentication_type: { type: 'string', required: true, words: AUTHENTICATION },
    comment: text(65_536),
    sharing_code: text(1000),
    data_recipient_global_metastore_id: text(500),
    allowed_acceptance_types: { type: 'array', most: 10, items: text(255) },
    allowed_data_recipient_global_metastore_ids: { type: 'array', most: 100, items: text(500) },
    email: text(320),
    ip_access_list: {
      type: 'object',
      members: { allowed_ip_addresses: { type: 'array', items: text(50), most: MOST_ADDRESSES } },
    },
    expiration_time: { type: 'integer', least: 0, most: LATEST_END },
    properties_kvpairs: { type: 'object', members: { properties: { type: 'object' } } },
  },
  changes: ['comment', 'ip_access_list', 'expiration_time', 'properties_kvpairs'],
  hooks: {
    async check(_tx, call, { fields, above }, before) {
      for (const each of listOf(membersOf(fields.ip_access_list).allowed_ip_addresses)) {
        if (rangeOf(textOf(each) ?? '') === undefined)
          throw errors.INVALID_PARAMETER_VALUE({
            reason: `'${String(each).slice(0, 60)}' is neither an IPv4 address nor a network in CIDR notation.`,
          });
      }
      textsIn('properties_kvpairs.properties', membersOf(membersOf(fields.properties_kvpairs).properties));
      if (before) return { extra: { tokens: changedTokens(call, before, fields, above.target) as never } };
      checkType(fields, above.target);
      if (fields.authentication_type !== 'TOKEN') return undefined;
      const token = newToken(
        { createdBy: call.facts.standing?.principal.id ?? '' },
        call.jar.clock.now(),
        expiryOf(call, fields, above.target),
      );
      return { extra: { tokens: [token] as never } };
    },
    async created(tx, call, { target, above }) {
      await storeTokens(tx, target.id, [], tokensOf(target));
      if (target.fields.authentication_type === 'DATABRICKS')
        await storePartner(tx, call, target, above.at(-1) as Securable);
    },
    async removed(tx, jar, recipient) {
      await storeTokens(tx, recipient.id, tokensOf(recipient), []);
      await removePartner(tx, jar, recipient);
      if (recipient.fields.authentication_type === 'OIDC_FEDERATION') await dropPolicies(tx, recipient);
    },
  },
  view: (recipient, { call, nameOf }) => ({
    ...(recipient.fields.authentication_type === 'TOKEN' && tokensView(call, recipient, nameOf)),
    ...cloudAndRegionOf(recipient.fields.data_recipient_global_metastore_id),
  }),
};

function checkType(fields: JsonMembers, metastore: Securable): void {
  const { authentication_type: type, data_recipient_global_metastore_id: other } = fields;
  if (type === 'DATABRICKS' && other === undefined)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'data_recipient_global_metastore_id' });
  if (type !== 'DATABRICKS' && other !== undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: 'data_recipient_global_metastore_id is only accepted if authentication_type is DATABRICKS.',
    });
  if (other === globalIdOf(metastore))
    throw errors.INVALID_PARAMETER_VALUE({ reason: 'A metastore cannot be a recipient of its own shares.' });
  if (type !== 'DATABRICKS' && metastore.fields.delta_sharing_scope === 'INTERNAL')
    throw errors.INVALID_STATE({
      reason: 'Sharing with external recipients is disabled: delta_sharing_scope of the metastore is INTERNAL.',
    });
}

/** The earlier of the recipient's expiration and the metastore's maximum lifetime. */
export function expiryOf(
  { jar }: Actor,
  { expiration_time: said }: JsonMembers,
  metastore: Securable,
): number | undefined {
  const seconds = metastore.fields.delta_sharing_recipient_token_lifetime_in_seconds;
  const allowed = typeof seconds === 'number' && seconds > 0 ? jar.clock.now() + seconds * 1000 : undefined;
  const ends = [allowed, typeof said === 'number' && said > 0 ? said : undefined].filter((each) => each !== undefined);
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/**
 * A changed expiration applies to the newest token. A rotation has already ended the older tokens: their expiration can only move earlier.
 */
function changedTokens(
  call: Actor,
  before: Securable,
  fields: JsonMembers,
  metastore: Securable,
): readonly RecipientToken[] {
  const tokens = tokensOf(before);
  if (typeof fields.expiration_time !== 'number' || fields.expiration_time === before.fields.expiration_time)
    return tokens;
  const until = expiryOf(call, fields, metastore);
  const changed = { updatedAt: call.jar.clock.now(), updatedBy: call.facts.standing?.principal.id ?? '' };
  return tokens.map(({ expiresAt: rotated, ...token }, index) => {
    const isNewest = index === tokens.length - 1;
    const ends = [until, isNewest ? undefined : rotated].filter((each) => each !== undefined);
    return { ...token, ...changed, ...(ends.length > 0 && { expiresAt: Math.min(...ends) }) };
  });
}

export const ACTIVATION_PAGE = '/delta_sharing/retrieve_config.html';

function tokensView(call: PlatformCall, recipient: Securable, nameOf: (principal: string) => string): JsonMembers {
  const now = call.jar.clock.now();
  const live = tokensOf(recipient).filter((token) => isLive(token, now));
  const tokens = live.map(({ id, code, createdAt, createdBy, updatedAt, updatedBy, expiresAt, hash }) => ({
    id,
    created_at: createdAt,
    created_by: nameOf(createdBy),
    // A link can be used once, and is a secret: people who may only read do not get it.
    ...(hash === undefined &&
      !call.caller?.readOnly && { activation_url: `${knownOrigin(call)}${ACTIVATION_PAGE}?${code}` }),
    ...(expiresAt !== undefined && { expiration_time: expiresAt }),
    updated_at: updatedAt,
    updated_by: nameOf(updatedBy),
  }));
  const link = tokens.find(({ activation_url: url }) => url !== undefined)?.activation_url;
  return {
    activated: live.some(({ hash }) => hash !== undefined),
    ...(link !== undefined && { activation_url: link }),
    tokens,
  };
}
