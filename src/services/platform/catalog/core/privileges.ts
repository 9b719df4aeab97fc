/** Tables of privileges: which can be granted on each type, and what they imply. */

/** As stored, and as in paths unless the table of spellings below has another form. */
export const SECURABLE_TYPES = [
  'metastore',
  'catalog',
  'schema',
  'table',
  'volume',
  'function',
  'registered_model',
  'connection',
  'credential',
  'external_location',
  'share',
  'recipient',
  'provider',
  'clean_room',
  'external_metadata',
] as const;
export type SecurableType = (typeof SECURABLE_TYPES)[number];

const ON_METASTORE = [
  'CREATE_CATALOG',
  'CREATE_CLEAN_ROOM',
  'CREATE_CONNECTION',
  'CREATE_EXTERNAL_LOCATION',
  'CREATE_EXTERNAL_METADATA',
  'CREATE_PROVIDER',
  'CREATE_RECIPIENT',
  'CREATE_SERVICE_CREDENTIAL',
  'CREATE_SHARE',
  'CREATE_STORAGE_CREDENTIAL',
  'MANAGE_ALLOWLIST',
  'SET_SHARE_PERMISSION',
  'USE_MARKETPLACE_ASSETS',
  'USE_PROVIDER',
  'USE_RECIPIENT',
  'USE_SHARE',
] as const;

/** Can be granted on a catalog and on everything in it. */
const ON_ALL = ['ALL_PRIVILEGES', 'APPLY_TAG', 'BROWSE', 'MANAGE'] as const;
const ON_TABLES = ['SELECT', 'MODIFY', 'REFRESH'] as const;
const ON_VOLUMES = ['READ_VOLUME', 'WRITE_VOLUME'] as const;
const ON_FUNCTIONS = ['EXECUTE'] as const;
const ON_MODELS = ['EXECUTE', 'CREATE_MODEL_VERSION'] as const;
const ON_SCHEMAS = [
  'USE_SCHEMA',
  'CREATE_FUNCTION',
  'CREATE_MATERIALIZED_VIEW',
  'CREATE_MODEL',
  'CREATE_TABLE',
  'CREATE_VIEW',
  'CREATE_VOLUME',
  'EXTERNAL_USE_SCHEMA',
] as const;
const ON_CATALOGS = ['USE_CATALOG', 'CREATE_SCHEMA'] as const;
const ON_LOCATIONS = [
  'CREATE_EXTERNAL_TABLE',
  'CREATE_EXTERNAL_VOLUME',
  'CREATE_FOREIGN_SECURABLE',
  'CREATE_MANAGED_STORAGE',
  'EXTERNAL_USE_LOCATION',
  'READ_FILES',
  'WRITE_FILES',
] as const;
const ON_CREDENTIALS = [
  'ACCESS',
  'CREATE_CONNECTION',
  'CREATE_EXTERNAL_LOCATION',
  'CREATE_EXTERNAL_TABLE',
  'READ_FILES',
  'WRITE_FILES',
] as const;
const ON_CONNECTIONS = ['USE_CONNECTION', 'CREATE_FOREIGN_CATALOG'] as const;
const ON_CLEAN_ROOMS = ['EXECUTE_CLEAN_ROOM_TASK', 'MODIFY_CLEAN_ROOM'] as const;

export type Privilege =
  | (typeof ON_METASTORE)[number]
  | (typeof ON_ALL)[number]
  | (typeof ON_TABLES)[number]
  | (typeof ON_VOLUMES)[number]
  | (typeof ON_MODELS)[number]
  | (typeof ON_SCHEMAS)[number]
  | (typeof ON_CATALOGS)[number]
  | (typeof ON_LOCATIONS)[number]
  | (typeof ON_CREDENTIALS)[number]
  | (typeof ON_CONNECTIONS)[number]
  | (typeof ON_CLEAN_ROOMS)[number];

const BELOW_SCHEMAS = [...ON_TABLES, ...ON_VOLUMES, ...ON_MODELS] as const;

/** Privileges that can be granted on each type. A grant on a catalog or schema applies to everything below it. */
export const GRANTABLE: Readonly<Record<SecurableType, readonly Privilege[]>> = {
  metastore: ON_METASTORE,
  catalog: [...ON_ALL, ...ON_CATALOGS, ...ON_SCHEMAS, ...BELOW_SCHEMAS],
  schema: [...ON_ALL, ...ON_SCHEMAS, ...BELOW_SCHEMAS],
  table: [...ON_ALL, ...ON_TABLES],
  volume: [...ON_ALL, ...ON_VOLUMES],
  function: [...ON_ALL, ...ON_FUNCTIONS],
  registered_model: [...ON_ALL, ...ON_MODELS],
  connection: ['ALL_PRIVILEGES', 'BROWSE', 'MANAGE', ...ON_CONNECTIONS],
  credential: ['ALL_PRIVILEGES', 'BROWSE', 'MANAGE', ...ON_CREDENTIALS],
  external_location: ['ALL_PRIVILEGES', 'BROWSE', 'MANAGE', ...ON_LOCATIONS],
  share: ['SELECT'],
  recipient: ['MANAGE'],
  provider: ['MANAGE'],
  clean_room: ['ALL_PRIVILEGES', 'BROWSE', 'MANAGE', ...ON_CLEAN_ROOMS],
  external_metadata: ['ALL_PRIVILEGES', 'BROWSE', 'MANAGE', 'MODIFY'],
};

/** Any of these lets the grantee see a securable; so do `ALL_PRIVILEGES`, `MANAGE` and ownership. */
export const SEEN_WITH: Readonly<Record<SecurableType, readonly Privilege[]>> = {
  metastore: ON_METASTORE,
  catalog: ['USE_CATALOG'],
  schema: ['USE_SCHEMA'],
  table: ON_TABLES,
  volume: ON_VOLUMES,
  function: ON_FUNCTIONS,
  registered_model: ON_MODELS,
  connection: ON_CONNECTIONS,
  credential: ON_CREDENTIALS,
  external_location: ON_LOCATIONS,
  // Grants on shares belong to recipients, and do not let principals see the share.
  share: [],
  recipient: [],
  provider: [],
  clean_room: ON_CLEAN_ROOMS,
  external_metadata: ['MODIFY'],
};

/** With this privilege on the metastore, a principal sees all securables of the type. */
export const ALL_SEEN_WITH: Readonly<Partial<Record<SecurableType, Privilege>>> = {
  share: 'USE_SHARE',
  recipient: 'USE_RECIPIENT',
  provider: 'USE_PROVIDER',
};

/** Privilege on a container that is needed to use anything in it. */
export const ENTERED_WITH: Readonly<Partial<Record<SecurableType, Privilege>>> = {
  catalog: 'USE_CATALOG',
  schema: 'USE_SCHEMA',
};

/** `ALL_PRIVILEGES` includes every privilege except these. */
const NOT_IN_ALL: ReadonlySet<Privilege> = new Set(['MANAGE', 'EXTERNAL_USE_SCHEMA', 'EXTERNAL_USE_LOCATION']);

export const isGivenBy = (given: readonly Privilege[], wanted: Privilege): boolean =>
  given.includes(wanted) || (given.includes('ALL_PRIVILEGES') && !NOT_IN_ALL.has(wanted));

/** Other spellings of types in paths. */
const SPELLINGS: Readonly<Record<string, SecurableType>> = {
  storage_credential: 'credential',
  service_credential: 'credential',
  'storage-credential': 'credential',
  'external-location': 'external_location',
  model: 'registered_model',
};

/** The type that a path names, in any case. Returns undefined if it is unknown. */
export function securableType(sent: string): SecurableType | undefined {
  const word = sent.toLowerCase();
  return (
    SECURABLE_TYPES.find((each) => each === word) ?? (Object.hasOwn(SPELLINGS, word) ? SPELLINGS[word] : undefined)
  );
}

/** Used in messages and in `inherited_from_type`. */
export const TITLES: Readonly<Record<SecurableType, string>> = {
  metastore: 'Metastore',
  catalog: 'Catalog',
  schema: 'Schema',
  table: 'Table',
  volume: 'Volume',
  function: 'Function',
  registered_model: 'RegisteredModel',
  connection: 'Connection',
  credential: 'Credential',
  external_location: 'ExternalLocation',
  share: 'Share',
  recipient: 'Recipient',
  provider: 'Provider',
  clean_room: 'CleanRoom',
  external_metadata: 'ExternalMetadata',
};

/** The type on the wire, where models are functions. */
export const wireType = (kind: SecurableType): string =>
  kind === 'registered_model' ? 'FUNCTION' : kind.toUpperCase();
