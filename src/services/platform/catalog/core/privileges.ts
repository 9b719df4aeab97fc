/** What can be granted, on what, and what follows from it: as tables. */

/** As stored, and in paths where the table of spellings below has no other. */
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

/** Can be granted on everything in a catalog, and on the catalog. */
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

/** What can be granted on each type. What is granted on a catalog or schema holds for everything below it. */
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

/** One of these is enough to be shown a securable; so are `ALL_PRIVILEGES`, `MANAGE` and being its owner. */
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
  // Grants on shares are those of recipients, and show nothing to people.
  share: [],
  recipient: [],
  provider: [],
  clean_room: ON_CLEAN_ROOMS,
  external_metadata: ['MODIFY'],
};

/** With this privilege on the metastore one is shown all of a type. */
export const ALL_SEEN_WITH: Readonly<Partial<Record<SecurableType, Privilege>>> = {
  share: 'USE_SHARE',
  recipient: 'USE_RECIPIENT',
  provider: 'USE_PROVIDER',
};

/** What a container must be entered with before anything in it can be used. */
export const ENTERED_WITH: Readonly<Partial<Record<SecurableType, Privilege>>> = {
  catalog: 'USE_CATALOG',
  schema: 'USE_SCHEMA',
};

/** `ALL_PRIVILEGES` stands for every other one but these. */
const NOT_IN_ALL: ReadonlySet<Privilege> = new Set(['MANAGE', 'EXTERNAL_USE_SCHEMA', 'EXTERNAL_USE_LOCATION']);

export const isGivenBy = (given: readonly Privilege[], wanted: Privilege): boolean =>
  given.includes(wanted) || (given.includes('ALL_PRIVILEGES') && !NOT_IN_ALL.has(wanted));

/** Other spellings of types, in paths. */
const SPELLINGS: Readonly<Record<string, SecurableType>> = {
  storage_credential: 'credential',
  service_credential: 'credential',
  'storage-credential': 'credential',
  'external-location': 'external_location',
  model: 'registered_model',
};

/** The type that a path names, in lower or upper case. */
export function securableType(sent: string): SecurableType | undefined {
  const word = sent.toLowerCase();
  return (
    SECURABLE_TYPES.find((each) => each === word) ?? (Object.hasOwn(SPELLINGS, word) ? SPELLINGS[word] : undefined)
  );
}

/** In messages and in `inherited_from_type`. */
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

/** The type on the wire. Models are functions there. */
export const wireType = (kind: SecurableType): string =>
  kind === 'registered_model' ? 'FUNCTION' : kind.toUpperCase();
