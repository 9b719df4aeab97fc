/** The types of objects that have permissions, and the levels of each, from the least to the most. */

interface ObjectTypeRow {
  /** `object_type` in answers. */
  readonly objectType: string;
  readonly levels: readonly string[];
  /** Exactly one principal owns an object of this type. */
  readonly owned?: true;
  /** What `object_id` begins with, where it is not the type. */
  readonly idPrefix?: string;
  /** The least level at which somebody sees the permissions; the least of all unless given. */
  readonly seenAt?: string;
  /** The levels of the object above all of this type, whose id is `root`, where there is one: they hold for every object of the type. */
  readonly rootLevels?: readonly string[];
  /** Only administrators learn that there is no such object: the permission is decided before the existence. */
  readonly isHidden?: true;
  /** The message to somebody without the permission, where the API has words of its own. */
  refusal?(user: string, id: string): string;
}

/** The id of the object above all others of its type. */
export const ROOT_ID = 'root';

/** Of such an object only: who may create objects below it. It is worth less than every level on an object. */
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

/** The levels that somebody can be given on this object. */
export function levelsOf(type: ObjectType, id: string): readonly string[] {
  const { levels, rootLevels } = typeRow(type);
  return id === ROOT_ID ? (rootLevels ?? levels) : levels;
}

/** An owner may do all that a manager may. */
const OWNER = 'IS_OWNER';
const MANAGER = 'CAN_MANAGE';

/** How much a level is worth among those of its type; -1 where the type does not have it. */
export function rankOf(type: ObjectType, level: string): number {
  const { levels } = typeRow(type);
  return levels.indexOf(level === OWNER && levels.includes(MANAGER) ? MANAGER : level);
}
