import { boolean, collection, number, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { Ending } from '../jobs/run.ts';

export type RoomStatus = 'PROVISIONING' | 'ACTIVE' | 'FAILED' | 'DELETED';

/** A party of a clean room. Each has its own clean room in its metastore, which represents the central one. */
export interface Collaborator {
  readonly alias: string;
  /** The id of its metastore, and the global id that other metastores use. */
  readonly metastore: string;
  readonly globalId: string;
  /** The id of the clean room's securable in its metastore. */
  readonly local: string;
  readonly displayName: string;
  readonly organization?: string;
  /** The user and workspace that the creator has invited. */
  readonly email?: string;
  readonly workspaceId?: string;
  /** It has deleted its own clean room. */
  readonly hasLeft?: true;
}

/** The state that all collaborators of a clean room share. The key is its id. */
export interface CentralRoom {
  readonly id: string;
  readonly status: RoomStatus;
  /** The alias of the collaborator who created it. */
  readonly creator: string;
  readonly cloudVendor: string;
  readonly region: string;
  readonly collaborators: readonly Collaborator[];
  readonly egressPolicy?: JsonMembers;
  readonly sharesOutput: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const centralRooms = collection<CentralRoom>('platform.clean_rooms');

export const ASSET_TYPES = [
  'TABLE',
  'VIEW',
  'VOLUME',
  'FOREIGN_TABLE',
  'NOTEBOOK_FILE',
  'JAR_ANALYSIS',
  'GENIE_SPACE',
] as const;
export type AssetType = (typeof ASSET_TYPES)[number];

/** An asset that a collaborator added to a clean room. The key is `assetKey`. */
export interface RoomAsset {
  readonly room: string;
  readonly type: AssetType;
  readonly name: string;
  /** The alias of the collaborator who added it. */
  readonly owner: string;
  readonly addedAt: number;
  readonly addedBy: string;
  /** The id of its securable in the owner's catalog. */
  readonly securable?: string;
  /** Fields that only the owner sees: `local_name`, `partitions`. */
  readonly local?: JsonMembers;
  /** For reviewed assets: the number of the current revision. */
  readonly revision?: number;
  /** The other fields. */
  readonly fields?: JsonMembers;
}

export const assetKey = ({ room, type, name }: Pick<RoomAsset, 'room' | 'type' | 'name'>): string =>
  `${room}/${type}/${name}`;

export const roomAssets = collection<RoomAsset>('platform.clean_room_assets', {
  fields: {
    room: text((it) => it.room),
    addedAt: number((it) => it.addedAt),
    name: text((it) => it.name),
  },
  indexes: [['room', 'addedAt', 'name']],
});

export type ReviewState = 'PENDING' | 'APPROVED' | 'REJECTED';

/** A collaborator's review of a revision. */
export interface Review {
  readonly reviewer: string;
  readonly state: ReviewState;
  readonly comment?: string;
  readonly createdAt: number;
  /** An approval rule created it. */
  readonly isAutomatic?: true;
}

/** One version of a notebook or of the analysis of a JAR. The key is `revisionKey`. */
export interface Revision {
  readonly asset: string;
  readonly number: number;
  readonly etag: string;
  /** The alias of its author. */
  readonly author: string;
  /** Aliases of the collaborators who may run it. */
  readonly runners: readonly string[];
  readonly contentLength: number;
  readonly updatedAt: number;
  /** At most one per collaborator. */
  readonly reviews: readonly Review[];
}

export const revisionKey = (asset: string, revision: number): string =>
  `${asset}/${String(revision).padStart(10, '0')}`;

export const revisions = collection<Revision>('platform.clean_room_revisions', {
  fields: { asset: text((it) => it.asset), number: number((it) => it.number), etag: text((it) => it.etag) },
  indexes: [
    ['asset', 'number'],
    ['asset', 'etag'],
  ],
});

/** The content of a revision, as sent. The key is that of the revision. */
export const revisionContents = collection<{ readonly content: string }>('platform.clean_room_contents', {
  wide: true,
});

/** Approves notebooks on behalf of a collaborator. The key is `ruleKey`. */
export interface ApprovalRule {
  readonly room: string;
  readonly id: string;
  /** The alias of the collaborator on whose behalf it approves. */
  readonly owner: string;
  /** An alias. Absent: any author. */
  readonly author?: string;
  readonly runner?: string;
  readonly createdAt: number;
}

export const ruleKey = (room: string, id: string): string => `${room}/${id}`;

export const approvalRules = collection<ApprovalRule>('platform.clean_room_rules', {
  fields: { room: text((it) => it.room), createdAt: number((it) => it.createdAt) },
  indexes: [['room', 'createdAt']],
});

/** A task of a job that runs a notebook of a clean room, or has run it. The key is `roomRunKey`. */
export interface RoomRun {
  readonly room: string;
  /** The alias and the metastore of the collaborator who runs it. */
  readonly alias: string;
  readonly metastore: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly jobId?: string;
  readonly runId: string;
  readonly taskId: string;
  readonly runAs: string;
  readonly notebook: string;
  readonly etag: string;
  readonly revision: number;
  readonly notebookUpdatedAt: number;
  /** `QUEUED`: the clean room has reached its concurrency limit. */
  readonly state: 'QUEUED' | 'RUNNING' | 'TERMINATED';
  readonly ending?: Ending;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly output?: RunOutput;
}

/** The schema with the output tables of a run. */
export interface RunOutput {
  readonly catalog: string;
  readonly schema: string;
  /** The id of the schema. */
  readonly id: string;
  readonly expiresAt: number;
}

export const roomRunKey = (room: string, workspaceId: string, taskId: string): string =>
  `${room}/${workspaceId}/${taskId}`;

export const roomRuns = collection<RoomRun>('platform.clean_room_runs', {
  fields: {
    room: text((it) => it.room),
    notebook: text((it) => it.notebook),
    createdAt: number((it) => it.createdAt),
    /** The clean room whose queue contains the run. */
    queuedIn: text(({ state, room }) => (state === 'QUEUED' ? room : undefined)),
    queued: boolean(({ state }) => state === 'QUEUED'),
  },
  indexes: [
    ['room', 'createdAt'],
    ['room', 'notebook', 'createdAt'],
    ['queuedIn', 'createdAt'],
    ['queued', 'createdAt'],
  ],
});

export const CLEAN_ROOM_COLLECTIONS = [
  centralRooms,
  roomAssets,
  revisions,
  revisionContents,
  approvalRules,
  roomRuns,
] as const;
