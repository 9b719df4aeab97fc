import { errors } from '../../errors.ts';
import type { Texts } from '../core/texts.ts';
import { CONNECTION_TYPES } from './types.ts';

/** Options of a connection: separates secrets, and derives the URL and the credential type. */

/**
 * Suffixes of the names of secret options, ignoring case and separators: `client_secret`, `personalAccessToken`,
 * `GoogleServiceAccountKeyJson`.
 */
const SECRET_ENDS = [
  'password',
  'passphrase',
  'secret',
  'token',
  'privatekey',
  'secretkey',
  'accesskey',
  'apikey',
  'accountkey',
  'keyjson',
  'pem',
  'assertion',
  'authorizationcode',
  'codeverifier',
] as const;

export function isSecret(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return SECRET_ENDS.some((end) => plain.endsWith(end));
}

/** Separates secret options from the others. */
export function splitOptions(options: Texts): { readonly open: Texts; readonly secret: Texts } {
  const entries = Object.entries(options);
  return {
    open: Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    secret: Object.fromEntries(entries.filter(([name]) => isSecret(name))),
  };
}

export function checkNeeded(type: string, options: Texts): void {
  for (const field of CONNECTION_TYPES[type]?.needs ?? [])
    if (!options[field]) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `options.${field}` });
}

/** The URL of the data source, as far as the options determine it. */
export function urlOf(type: string, { host, port, base_path: base = '' }: Texts): string | undefined {
  if (!host) return undefined;
  const { scheme, port: usual } = CONNECTION_TYPES[type] ?? {};
  if (scheme !== undefined) return `${scheme}://${host}:${port ?? usual}/`;
  const address = host.includes('://') ? host : `https://${host}`;
  return `${address}${port ? `:${port}` : ''}${base}`;
}

type CredentialRule = readonly [type: string, ...needs: readonly string[]];

/** The first rule whose options are all present applies. */
const CREDENTIAL_TYPES: readonly CredentialRule[] = [
  ['PEM_PRIVATE_KEY', 'pem_private_key'],
  ['BEARER_TOKEN', 'bearer_token'],
  ['OAUTH_REFRESH_TOKEN', 'refresh_token'],
  ['OAUTH_ACCESS_TOKEN', 'access_token'],
  ['OAUTH_U2M', 'client_id', 'authorization_code'],
  ['OAUTH_RESOURCE_OWNER_PASSWORD', 'client_id', 'user', 'password'],
  ['OAUTH_M2M', 'client_id', 'client_secret'],
  ['SERVICE_CREDENTIAL', 'credential_name'],
  ['USERNAME_PASSWORD', 'user', 'password'],
  ['BEARER_TOKEN', 'personalAccessToken'],
  ['ANY_STATIC_CREDENTIAL', 'GoogleServiceAccountKeyJson'],
];

export const credentialTypeOf = (names: ReadonlySet<string>): string =>
  CREDENTIAL_TYPES.find(([, ...needs]) => needs.every((each) => names.has(each)))?.[0] ?? 'UNKNOWN_CREDENTIAL_TYPE';
