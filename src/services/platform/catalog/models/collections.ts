import { collection, number, text } from '../../../../kernel/store/index.ts';

export type VersionStatus = 'PENDING_REGISTRATION' | 'READY' | 'FAILED_REGISTRATION';

/** A version of a registered model. */
export interface ModelVersion {
  readonly id: string;
  readonly metastore: string;
  /** The id of the model. */
  readonly model: string;
  readonly version: number;
  readonly status: VersionStatus;
  readonly comment?: string;
  /** Origin of the model's files. */
  readonly source: string;
  readonly runId?: string;
  readonly runWorkspaceId?: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

export const versionKey = (model: string, version: number): string => `${model}/${version}`;

export const modelVersions = collection<ModelVersion>('platform.catalog_model_versions', {
  fields: { model: text((it) => it.model), version: number((it) => it.version) },
  indexes: [['model', 'version']],
});
