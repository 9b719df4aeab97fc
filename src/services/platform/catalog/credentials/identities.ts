import { isObject, type Json, type JsonMembers } from '../../../../kernel/values/index.ts';
import type { FieldRules } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import type { Securable } from '../core/securables.ts';
import type { Cloud } from '../core/storage-url.ts';

/** The identity of a credential in a cloud: exactly one of these members. */

const text = { type: 'string', least: 1, most: 2048, required: true } as const;

interface Identity {
  readonly cloud: Cloud;
  readonly members: FieldRules;
  /** Members that are sealed and never shown. */
  readonly secret?: string;
  /** Members that the platform adds. */
  view?(id: string): JsonMembers;
}

export const IDENTITIES = {
  aws_iam_role: {
    cloud: 'aws',
    members: { role_arn: text },
    view: (id) => ({ external_id: id, unity_catalog_iam_arn: 'arn:aws:iam::000000000000:role/unity-catalog' }),
  },
  azure_managed_identity: {
    cloud: 'azure',
    members: { access_connector_id: text, managed_identity_id: { type: 'string', most: 2048 } },
    view: (id) => ({ credential_id: id }),
  },
  azure_service_principal: {
    cloud: 'azure',
    members: { directory_id: text, application_id: text, client_secret: text },
    secret: 'client_secret',
  },
  databricks_gcp_service_account: {
    cloud: 'gcp',
    members: {},
    view: (id) => ({ credential_id: id, email: `uc-${id.slice(0, 8)}@platform.iam.vendor.example` }),
  },
  cloudflare_api_token: {
    cloud: 'cloudflare',
    members: { account_id: text, access_key_id: text, secret_access_key: text },
    secret: 'secret_access_key',
  },
} as const satisfies Readonly<Record<string, Identity>>;

export type IdentityName = keyof typeof IDENTITIES;

export const IDENTITY_NAMES = Object.keys(IDENTITIES) as readonly IdentityName[];

const identities: Readonly<Record<IdentityName, Identity>> = IDENTITIES;

export const identityRules = (names: readonly IdentityName[] = IDENTITY_NAMES): FieldRules =>
  Object.fromEntries(names.map((name) => [name, { type: 'object', members: identities[name].members }]));

/** The only identity among the fields. Throws unless there is exactly one. */
export function onlyIdentity(fields: JsonMembers): IdentityName {
  const said = IDENTITY_NAMES.filter((name) => fields[name] !== undefined);
  const [first] = said;
  if (said.length === 1 && first) return first;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `A credential must have exactly one of ${IDENTITY_NAMES.join(', ')}${said.length > 1 ? `, not ${said.join(' and ')}` : ''}.`,
  });
}

/** Splits an identity into its visible part and its secret. */
export function withoutSecret(
  name: IdentityName,
  sent: Json | undefined,
): readonly [open: JsonMembers, secret?: string] {
  const members = isObject(sent) ? (sent as JsonMembers) : {};
  const { secret } = identities[name];
  if (secret === undefined) return [members];
  const { [secret]: value, ...open } = members;
  return typeof value === 'string' ? [open, value] : [open];
}

export const identityOf = ({ fields }: Pick<Securable, 'fields'>): IdentityName | undefined =>
  IDENTITY_NAMES.find((name) => fields[name] !== undefined);

export const cloudOf = (name: IdentityName): Cloud => identities[name].cloud;

/** Visible members of the identity. */
export function identityView({ fields, id }: Pick<Securable, 'fields' | 'id'>): JsonMembers {
  const name = identityOf({ fields });
  if (name === undefined) return {};
  const own = fields[name];
  return { [name]: { ...(isObject(own) ? (own as JsonMembers) : {}), ...identities[name].view?.(id) } };
}
