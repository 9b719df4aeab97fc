import type { ColumnType } from '../../../kernel/store/index.ts';
import type { DatasetRight } from '../access/permissions.ts';
import type { Principal } from '../access/principal.ts';
import type { Parameter } from '../parameters/parameter.ts';

/** The stored dataset: its model, its owner, and the properties shown to clients. */
export interface Dataset {
  readonly id: string;
  readonly tenantId: string;
  /** Key of its workspace. */
  readonly workspace: string;
  readonly name: string;
  readonly description?: string;
  readonly mode: DatasetMode;
  readonly retention: RetentionPolicy;
  readonly tables: readonly Table[];
  readonly relationships: readonly Relationship[];
  readonly datasources: readonly Datasource[];
  readonly createdAt: number;
  /** The owner's object id and display name. */
  readonly ownerId: string;
  readonly configuredBy: string;
  /** The creation is accepted but not finished, so the dataset cannot be found yet. */
  readonly isPending: boolean;
  readonly targetStorageMode: string;
  readonly encryption: EncryptionStatus;
  readonly queryScaleOutSettings: QueryScaleOutSettings;
  readonly upstreamDataflows: readonly UpstreamDataflow[];
  /** Principals with whom it is shared, in addition to the users of its workspace. */
  readonly users?: readonly DatasetUser[];
  readonly parameters?: readonly Parameter[];
}

export interface DatasetUser extends Principal {
  readonly right: DatasetRight;
}

/** The modes of datasets that a request can create. */
export const DATASET_MODES = ['Push', 'PushStreaming', 'Streaming'] as const;
export type DatasetMode = (typeof DATASET_MODES)[number];

export const RETENTION_POLICIES = ['None', 'basicFIFO'] as const;
export type RetentionPolicy = (typeof RETENTION_POLICIES)[number];

/** Small models and large models. */
export const STORAGE_MODES = ['Abf', 'PremiumFiles'] as const;

export const ENCRYPTION_STATUSES = [
  'Unknown',
  'NotSupported',
  'InSyncWithWorkspace',
  'NotInSyncWithWorkspace',
] as const;
export type EncryptionStatus = (typeof ENCRYPTION_STATUSES)[number];

export interface QueryScaleOutSettings {
  readonly autoSyncReadOnlyReplicas: boolean;
  readonly maxReadOnlyReplicas: number;
}

export interface UpstreamDataflow {
  readonly groupId: string;
  readonly targetDataflowId: string;
}

export interface Table {
  readonly name: string;
  /** Name of the typed table that stores the rows. */
  readonly storage: string;
  /** Changes with every change of the columns. */
  readonly schema: string;
  readonly description?: string;
  readonly isHidden?: boolean;
  readonly source?: readonly { readonly expression: string }[];
  readonly columns: readonly Column[];
  readonly measures: readonly Measure[];
}

export interface Column {
  readonly name: string;
  /** Name of the column in the typed table; never reused within the table. */
  readonly storage: string;
  readonly type: ColumnType;
  readonly dataCategory?: string;
  readonly formatString?: string;
  readonly isHidden?: boolean;
  readonly sortByColumn?: string;
  readonly summarizeBy?: string;
}

export interface Measure {
  readonly name: string;
  readonly expression: string;
  readonly description?: string;
  readonly formatString?: string;
  readonly isHidden?: boolean;
}

export const CROSS_FILTERING = ['OneDirection', 'BothDirections', 'Automatic'] as const;
export type CrossFiltering = (typeof CROSS_FILTERING)[number];

/** Many rows of `fromTable` have the key of one row of `toTable`. Names keep the spelling of the tables and columns. */
export interface Relationship {
  readonly name: string;
  readonly fromTable: string;
  readonly fromColumn: string;
  readonly toTable: string;
  readonly toColumn: string;
  readonly crossFilteringBehavior: CrossFiltering;
}

export interface Datasource {
  readonly datasourceType?: string;
  readonly connectionString?: string;
  readonly name?: string;
  readonly datasourceId?: string;
  readonly gatewayId?: string;
  readonly connectionDetails?: Readonly<Record<string, string>>;
}
