import { boolean, collection, number, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { Ending } from '../jobs/run.ts';

export type RoomStatus = 'PROVISIONING' | 'ACTIVE' | 'FAILED' | 'DELETED';

/** A party of a clean room. Each has a clean room of its own in its metastore, which stands for the central one. */
export interface Collaborator {
  readonly alias: string;
  /** The id of its metastore, and the one by which other metastores name it. */
  readonly metastore: string;
  readonly globalId: string;
  /** The id of the securable in its metastore. */
  readonly local: string;
  readonly displayName: string;
  readonly organization?: string;
  /** Whom the creator has invited, and where. */
  readonly email?: string;
  readonly workspaceId?: string;
  /** It has deleted its clean room. */
  readonly hasLeft?: true;
}

/** What all collaborators of a clean room share. The key is its id. */
export interface CentralRoom {
  readonly id: string;
  readonly status: RoomStatus;
  /** The alias of the collaborator who made it. */
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

/** Something that a collaborator has brought into a clean room. The key is `assetKey`. */
export interface RoomAsset {
  readonly room: string;
  readonly type: AssetType;
  readonly name: string;
  /** The alias of the collaborator who brought it. */
  readonly owner: string;
  readonly addedAt: number;
  readonly addedBy: string;
  /** The id of the securable that it is in the catalog of its owner. */
  readonly securable?: string;
  /** What only its owner is shown: `local_name`, `partitions`. */
  readonly local?: JsonMembers;
  /** Of what is reviewed: the number of the current revision. */
  readonly revision?: number;
  /** What else was said. */
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

/** What one collaborator thinks of a revision. */
export interface Review {
  readonly reviewer: string;
  readonly state: ReviewState;
  readonly comment?: string;
  readonly createdAt: number;
  /** A rule has approved it. */
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
  /** At most one of each collaborator. */
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

/** The content of a revision as it was sent. The key is that of the revision. */
export const revisionContents = collection<{ readonly content: string }>('platform.clean_room_contents', {
  wide: true,
});

/** Approves notebooks in the name of a collaborator. The key is `ruleKey`. */
export interface ApprovalRule {
  readonly room: string;
  readonly id: string;
  /** The alias of the collaborator in whose name it approves. */
  readonly owner: string;
  /** An alias; absent: any author. */
  readonly author?: string;
  readonly runner?: string;
  readonly createdAt: number;
}

export const ruleKey = (room: string, id: string): string => `${room}/${id}`;

export const approvalRules = collection<ApprovalRule>('platform.clean_room_rules', {
  fields: { room: text((it) => it.room), createdAt: number((it) => it.createdAt) },
  indexes: [['room', 'createdAt']],
});

/** A task of a job that runs, or ran, a notebook of a clean room. The key is `roomRunKey`. */
export interface RoomRun {
  readonly room: string;
  /** The alias of the collaborator who runs it, with its metastore. */
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
  /** `QUEUED`: the clean room runs as many as it may. */
  readonly state: 'QUEUED' | 'RUNNING' | 'TERMINATED';
  readonly ending?: Ending;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly output?: RunOutput;
}

/** The schema with the tables that a run made. */
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
    /** The clean room that it waits for. */
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
