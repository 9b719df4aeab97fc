import { createHash } from 'node:crypto';
import { collection, number, set, text } from '../../../kernel/store/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';
import type { Stage } from './stages.ts';

export interface Tag {
  readonly key: string;
  readonly value: string;
}

/**
 * Index value of a tag with its value. Values are too long for an index, so it is a digest of key and value; the `#` prefix keeps it apart
 * from keys.
 */
export const tagMark = ({ key, value }: Tag): string =>
  `#${createHash('sha256').update(`${key}\0${value}`).digest('base64url').slice(0, 24)}`;

/** Index values for lookups by tag: with any value, and with a given value. */
const marksOf = ({ tags }: { readonly tags: readonly Tag[] }): readonly string[] =>
  tags.flatMap((tag) => [tag.key, tagMark(tag)]);

/** A registered model. The key is `modelKey`. */
export interface RegisteredModel {
  /**
   * 32 hexadecimal digits, never reused. The permissions API names models by it, and everything that belongs to a model is stored under it.
   */
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly name: string;
  readonly description?: string;
  readonly tags: readonly Tag[];
  readonly aliases: readonly Alias[];
  readonly creator: string;
  readonly acl: readonly AclEntry[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Highest version number so far: numbers are never reused. */
  readonly lastVersion: number;
  /** The newest version of each stage that has versions. Stored here so that a list of models reads no other versions. */
  readonly latest: Readonly<Partial<Record<Stage, number>>>;
}

export interface Alias {
  readonly alias: string;
  readonly version: number;
}

export const models = collection<RegisteredModel>('platform.registered_models', {
  fields: {
    workspace: text((it) => it.workspaceId),
    /** Its own key, for reading many documents with one query. */
    ref: text((it) => keyOfModel(it)),
    name: text((it) => it.name),
    createdAt: number((it) => it.createdAt),
    updatedAt: number((it) => it.updatedAt),
    tags: set(marksOf),
    readers: set(readersOf),
  },
  indexes: [['ref'], ['workspace', 'name'], ['workspace', 'createdAt'], ['workspace', 'updatedAt']],
});

export const modelKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

export const keyOfModel = ({ workspaceId, id }: Pick<RegisteredModel, 'workspaceId' | 'id'>): string =>
  modelKey(workspaceId, id);

export type VersionStatus = 'PENDING_REGISTRATION' | 'READY' | 'FAILED_REGISTRATION';

/** A version of a model. The key is `versionKey`. */
export interface ModelVersion {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly modelId: string;
  /** The name of the model, so that versions can be searched and ordered by it; a rename updates it. */
  readonly name: string;
  readonly number: number;
  readonly stage: Stage;
  readonly source: string;
  /** Location of the files: the source, or the location of the version that the source names. */
  readonly location: string;
  readonly runId?: string;
  readonly runLink?: string;
  readonly description?: string;
  readonly tags: readonly Tag[];
  readonly status: VersionStatus;
  readonly creator: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const versions = collection<ModelVersion>('platform.registry_versions', {
  fields: {
    workspace: text((it) => it.workspaceId),
    /** Its own key, for reading many documents with one query. */
    ref: text((it) => keyOfVersion(it)),
    /** The key of the model. */
    model: text(({ workspaceId, modelId }) => modelKey(workspaceId, modelId)),
    name: text((it) => it.name),
    number: number((it) => it.number),
    /** For ascending names with the newest versions first: an index is read in one direction. */
    backwards: number((it) => -it.number),
    stage: text((it) => it.stage),
    source: text((it) => it.source),
    runId: text((it) => it.runId),
    createdAt: number((it) => it.createdAt),
    updatedAt: number((it) => it.updatedAt),
    tags: set(marksOf),
  },
  indexes: [
    ['ref'],
    ['model', 'number'],
    ['model', 'stage', 'number'],
    ['workspace', 'name', 'backwards'],
    ['workspace', 'createdAt'],
    ['workspace', 'updatedAt'],
    ['workspace', 'runId'],
  ],
});

/** Numbers have at most 15 digits, see `versionIn`. */
export const versionKey = (model: string, number: number): string => `${model}/${String(number).padStart(15, '0')}`;

export const keyOfVersion = (version: Pick<ModelVersion, 'workspaceId' | 'modelId' | 'number'>): string =>
  versionKey(modelKey(version.workspaceId, version.modelId), version.number);

export type ActivityType =
  | 'APPLIED_TRANSITION'
  | 'REQUESTED_TRANSITION'
  | 'CANCELLED_REQUEST'
  | 'APPROVED_REQUEST'
  | 'REJECTED_REQUEST'
  | 'SYSTEM_TRANSITION'
  | 'NEW_COMMENT';

/** An activity of a version; comments are activities too. The key is `activityKey`: clients name a comment only by its id. */
export interface Activity {
  readonly id: string;
  readonly workspaceId: string;
  readonly modelId: string;
  readonly version: number;
  readonly type: ActivityType;
  readonly by: string;
  readonly comment?: string;
  readonly systemComment?: string;
  readonly from?: Stage;
  readonly to?: Stage;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Position among the activities of the version: orders activities of the same instant. */
  readonly order: number;
}

export const activities = collection<Activity>('platform.model_activities', {
  fields: {
    model: text(({ workspaceId, modelId }) => modelKey(workspaceId, modelId)),
    version: text(({ workspaceId, modelId, version }) => versionKey(modelKey(workspaceId, modelId), version)),
    order: number((it) => it.order),
  },
  indexes: [['model'], ['version', 'order']],
});

export const activityKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

/** An open request for a transition. The key is `requestKey`: one per version, stage and creator. */
export interface TransitionRequest {
  /** The activity that records it. */
  readonly activity: Activity;
  readonly to: Stage;
}

export const requests = collection<TransitionRequest>('platform.transition_requests');

/** The prefix of all open requests of a version. */
export const requestsOf = (version: string): string => `${version}/`;

export const requestKey = (version: string, stage: Stage, creator: string): string =>
  `${requestsOf(version)}${stage}/${creator}`;

/**
 * Permissions on all models of a workspace and on the creation of models. The key is the id of the workspace. Absent: every user may create
 * models.
 */
export const registryRoots = collection<{ readonly acl: readonly AclEntry[] }>('platform.registry_roots');

export const REGISTRY_COLLECTIONS = [models, versions, activities, requests, registryRoots] as const;
