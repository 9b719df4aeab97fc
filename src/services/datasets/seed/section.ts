import type { SeedSection } from '../../../kernel/service/index.ts';
import { DATASET_RIGHT_NAMES, type DatasetRight } from '../access/permissions.ts';
import type { PrincipalType, Profile } from '../access/principal.ts';
import { WORKSPACE_RIGHTS, type WorkspaceRight } from '../collections.ts';
import {
  ENCRYPTION_STATUSES,
  type EncryptionStatus,
  type QueryScaleOutSettings,
  RETENTION_POLICIES,
  type RetentionPolicy,
  STORAGE_MODES,
  type UpstreamDataflow,
} from '../model/types.ts';

export interface SeedContent {
  readonly workspaces?: readonly SeedWorkspace[];
  readonly myWorkspaces?: readonly SeedMyWorkspace[];
}

export interface SeedWorkspace {
  readonly id?: string;
  readonly name: string;
  /** Default: the tenant of the first user. */
  readonly tenantId?: string;
  readonly users: readonly SeedUser<{ readonly groupUserAccessRight: WorkspaceRight }>[];
  readonly datasets?: readonly SeedDataset[];
}

export interface SeedMyWorkspace {
  readonly user: string;
  readonly datasets: readonly SeedDataset[];
}

export type SeedUser<Right> = Right & {
  readonly identifier: string;
  readonly principalType?: PrincipalType;
  readonly displayName?: string;
  readonly profile?: Profile;
};

/** A CreateDatasetRequest plus properties that a request cannot set. The request properties are validated as in a request. */
export interface SeedDataset {
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  /** A user of the workspace. Default: its first administrator. */
  readonly owner?: string;
  readonly defaultRetentionPolicy?: RetentionPolicy;
  readonly targetStorageMode?: (typeof STORAGE_MODES)[number];
  readonly queryScaleOutSettings?: Partial<QueryScaleOutSettings>;
  readonly encryption?: EncryptionStatus;
  readonly upstreamDataflows?: readonly UpstreamDataflow[];
  readonly parameters?: readonly SeedParameter[];
  readonly users?: readonly SeedUser<{ readonly datasetUserAccessRight: DatasetRight }>[];
  readonly [requested: string]: unknown;
}

export interface SeedParameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired?: boolean;
  readonly currentValue?: string;
  readonly suggestedValues?: readonly string[];
}

const text = { type: 'string', minLength: 1, maxLength: 256 };
const guid = { type: 'string', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' };
const object = (properties: object, required: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const listOf = (items: object) => ({ type: 'array', items });
const usersOf = (right: object) =>
  listOf(
    object(
      {
        identifier: text,
        principalType: { enum: ['User', 'App', 'Group', 'None'] },
        displayName: text,
        profile: object({ id: guid, displayName: text }, ['id']),
        ...right,
      },
      ['identifier', ...Object.keys(right)],
    ),
  );

const dataset = object(
  {
    id: guid,
    name: text,
    description: { type: 'string', maxLength: 4000 },
    owner: text,
    defaultRetentionPolicy: { enum: RETENTION_POLICIES },
    // Validated as in a request.
    defaultMode: { type: 'string' },
    tables: { type: 'array' },
    relationships: { type: 'array' },
    datasources: { type: 'array' },
    targetStorageMode: { enum: STORAGE_MODES },
    queryScaleOutSettings: object(
      {
        autoSyncReadOnlyReplicas: { type: 'boolean' },
        maxReadOnlyReplicas: { type: 'integer', minimum: -1, maximum: 64 },
      },
      [],
    ),
    encryption: { enum: ENCRYPTION_STATUSES },
    upstreamDataflows: listOf(object({ groupId: guid, targetDataflowId: guid }, ['groupId', 'targetDataflowId'])),
    parameters: listOf(
      object(
        {
          name: text,
          type: { type: 'string' },
          isRequired: { type: 'boolean' },
          currentValue: { type: 'string', maxLength: 32_768 },
          suggestedValues: listOf({ type: 'string' }),
        },
        ['name', 'type'],
      ),
    ),
    users: usersOf({ datasetUserAccessRight: { enum: DATASET_RIGHT_NAMES.filter((right) => right !== 'None') } }),
  },
  ['name', 'tables'],
);

/** Written out instead of generated, because it is loaded at every start. */
const schema = object(
  {
    workspaces: listOf(
      object(
        {
          id: guid,
          name: text,
          tenantId: guid,
          users: usersOf({ groupUserAccessRight: { enum: WORKSPACE_RIGHTS } }),
          datasets: listOf(dataset),
        },
        ['name', 'users'],
      ),
    ),
    myWorkspaces: listOf(object({ user: text, datasets: listOf(dataset) }, ['user', 'datasets'])),
  },
  [],
);

const defaults: SeedContent = {};

export const datasetsSeed: SeedSection = {
  schema: schema as never,
  defaults,
  async prepare(content) {
    const { workspaces = [], myWorkspaces = [] } = content as SeedContent;
    if (workspaces.length + myWorkspaces.length === 0) return async () => undefined;
    const { prepareSeed } = await import('./apply.ts');
    return prepareSeed({ workspaces, myWorkspaces });
  },
};
