import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import { CONNECTION_TYPES } from './types.ts';

/** The options of a connection: which are secret, and what follows from the rest. */

const MOST_OPTIONS = 100;
const LONGEST_NAME = 255;
const LONGEST_VALUE = 65_536;

export type Options = Readonly<Record<string, string>>;

/** Texts by name, few and short enough. */
export function textsIn(field: string, sent: JsonMembers): Options {
  const entries = Object.entries(sent);
  if (entries.length > MOST_OPTIONS)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${field}' must have at most ${MOST_OPTIONS} entries.` });
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string')
        throw errors.MALFORMED_REQUEST({
          reason: `Could not parse request object: the field '${field}.${name.slice(0, 100)}' must be a string.`,
        });
      if (name.length > LONGEST_NAME || value.length > LONGEST_VALUE)
        throw errors.INVALID_PARAMETER_VALUE({
          reason: `Entries of the field '${field}' have names of at most ${LONGEST_NAME} and values of at most ${LONGEST_VALUE} characters.`,
        });
      return [name, value];
    }),
  );
}

/** How the names of secret options end, without case and separators: `client_secret`, `personalAccessToken`, `GoogleServiceAccountKeyJson`. */
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

/** The secret options apart from the others. */
export function splitOptions(options: Options): { readonly open: Options; readonly secret: Options } {
  const entries = Object.entries(options);
  return {
    open: Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    secret: Object.fromEntries(entries.filter(([name]) => isSecret(name))),
  };
}

export function checkNeeded(type: string, options: Options): void {
  for (const field of CONNECTION_TYPES[type]?.needs ?? [])
    if (!options[field]) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `options.${field}` });
}

/** Where the data source is, as far as the options say. */
export function urlOf(type: string, { host, port, base_path: base = '' }: Options): string | undefined {
  if (!host) return undefined;
  const { scheme, port: usual } = CONNECTION_TYPES[type] ?? {};
  if (scheme !== undefined) return `${scheme}://${host}:${port ?? usual}/`;
  const address = host.includes('://') ? host : `https://${host}`;
  return `${address}${port ? `:${port}` : ''}${base}`;
}

type CredentialRule = readonly [type: string, ...needs: readonly string[]];

/** The first of which all options are there. */
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
