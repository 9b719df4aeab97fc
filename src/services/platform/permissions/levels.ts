/** Types of objects with permissions, and their levels in ascending order. */

interface ObjectTypeRow {
  /** `object_type` in answers. */
  readonly objectType: string;
  readonly levels: readonly string[];
  /** Exactly one principal owns an object of this type. */
  readonly owned?: true;
  /** Prefix of `object_id`, if it differs from the type. */
  readonly idPrefix?: string;
  /** The lowest level that may see the permissions. Default: the lowest of all. */
  readonly seenAt?: string;
  /** The levels of the root object of this type, if it has one; its id is `root`. They apply to every object of the type. */
  readonly rootLevels?: readonly string[];
  /** Hides from callers other than administrators that an object does not exist: permissions are checked before existence. */
  readonly isHidden?: true;
  /** The message for callers without the permission, if the API has a message of its own. */
  refusal?(user: string, id: string): string;
}

/** The id of the root object of a type. */
export const ROOT_ID = 'root';

/** Only on a root object: permission to create objects below it. It ranks below every level on an object. */
export const MAY_CREATE = 'CAN_CREATE';

const MODELS = [
  'CAN_READ',
  'CAN_EDIT',
  'CAN_MANAGE_STAGING_VERSIONS',
  'CAN_MANAGE_PRODUCTION_VERSIONS',
  'CAN_MANAGE',
] as const;

const FILES = ['CAN_READ', 'CAN_RUN', 'CAN_EDIT', 'CAN_MANAGE'] as const;
const SQL = ['CAN_VIEW', 'CAN_RUN', 'CAN_EDIT', 'CAN_MANAGE'] as const;

export const OBJECT_TYPES = {
  clusters: { objectType: 'cluster', levels: ['CAN_ATTACH_TO', 'CAN_RESTART', 'CAN_MANAGE'] },
  'cluster-policies': { objectType: 'cluster-policy', levels: ['CAN_USE'] },
  'instance-pools': { objectType: 'instance-pool', levels: ['CAN_ATTACH_TO', 'CAN_MANAGE'] },
  jobs: {
    objectType: 'job',
    levels: ['CAN_VIEW', 'CAN_MANAGE_RUN', 'IS_OWNER', 'CAN_MANAGE'],
    owned: true,
    seenAt: 'CAN_MANAGE',
    isHidden: true,
    refusal: (user: string, id: string) =>
      `${user} does not have Manage permissions on Job with ID: ElasticJobId(${id}). Please contact the owner or an administrator for access.`,
  },
  pipelines: { objectType: 'pipelines', levels: ['CAN_VIEW', 'CAN_RUN', 'IS_OWNER', 'CAN_MANAGE'], owned: true },
  notebooks: { objectType: 'notebook', levels: FILES },
  directories: { objectType: 'directory', levels: FILES },
  files: { objectType: 'file', levels: FILES },
  repos: { objectType: 'repo', levels: FILES },
  experiments: { objectType: 'mlflowExperiment', levels: ['CAN_READ', 'CAN_EDIT', 'CAN_MANAGE'] },
  'registered-models': {
    objectType: 'registered-model',
    levels: MODELS,
    rootLevels: [MAY_CREATE, ...MODELS],
  },
  warehouses: {
    objectType: 'warehouses',
    levels: ['CAN_VIEW', 'CAN_USE', 'CAN_MONITOR', 'IS_OWNER', 'CAN_MANAGE'],
    owned: true,
    idPrefix: 'sql/warehouses',
  },
  dashboards: { objectType: 'dashboard', levels: FILES },
  'dbsql-dashboards': { objectType: 'dashboard', levels: SQL },
  queries: { objectType: 'query', levels: SQL },
  alerts: { objectType: 'alert', levels: SQL },
  alertsv2: { objectType: 'alertv2', levels: FILES },
  'serving-endpoints': { objectType: 'serving-endpoint', levels: ['CAN_VIEW', 'CAN_QUERY', 'CAN_MANAGE'] },
  apps: { objectType: 'apps', levels: ['CAN_USE', 'CAN_MANAGE'] },
  genie: { objectType: 'genie-space', levels: SQL },
  'vector-search-endpoints': {
    objectType: 'vector-search-endpoints',
    levels: ['CAN_CREATE', 'CAN_USE', 'CAN_MANAGE'],
  },
  authorization: { objectType: 'tokens', levels: ['CAN_USE'] },
} as const satisfies Readonly<Record<string, ObjectTypeRow>>;

export type ObjectType = keyof typeof OBJECT_TYPES;

export const typeRow = (type: ObjectType): ObjectTypeRow => OBJECT_TYPES[type];

/** The levels that can be granted on this object. */
export function levelsOf(type: ObjectType, id: string): readonly string[] {
  const { levels, rootLevels } = typeRow(type);
  return id === ROOT_ID ? (rootLevels ?? levels) : levels;
}

/** An owner has all permissions of a manager. */
const OWNER = 'IS_OWNER';
const MANAGER = 'CAN_MANAGE';

/** Rank of a level among those of its type; -1 if the type does not have it. */
export function rankOf(type: ObjectType, level: string): number {
  const { levels } = typeRow(type);
  return levels.indexOf(level === OWNER && levels.includes(MANAGER) ? MANAGER : level);
}
