import { createHash } from 'node:crypto';
import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { listOf, membersOf, textOf } from '../engine/json.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';
import type { UpdateCause, UpdateState } from './states.ts';

/** A declarative pipeline. The key is `pipelineKey`. Whoever changes a pipeline, one of its updates or its events holds this document. */
export interface Pipeline {
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly region: string;
  /** Checked, with defaults (`spec.ts`); without the name and what only a request says. */
  readonly spec: JsonMembers;
  /** Empty for one that was given none. */
  readonly name: string;
  readonly creator: string;
  /** The principal that `run_as` named; absent: updates act as the owner. */
  readonly runAs?: string;
  readonly acl: readonly AclEntry[];
  readonly createdAt: number;
  /** Differs after each change of the settings: `expected_last_modified` is compared with it. */
  readonly lastModified: number;
  /** How many updates and events there have been: the next ones are numbered from here. */
  readonly updateCount: number;
  readonly eventCount: number;
  /** The newest first. */
  readonly latest: readonly LatestUpdate[];
  /** The update that has not ended. */
  readonly active?: string;
  /** The last update has failed and is tried again at this time. */
  readonly retry?: { readonly at: number; readonly attempt: number };
  /** Since when it is deleted: it can be restored for some time. */
  readonly deletedAt?: number;
}

export interface LatestUpdate {
  readonly id: string;
  readonly state: UpdateState;
  readonly createdAt: number;
  readonly clusterId?: string;
  /** Why it failed. */
  readonly problem?: string;
}

/** One run through a pipeline. The key is `updateKey`. */
export interface Update {
  readonly id: string;
  readonly workspaceId: string;
  readonly pipelineId: string;
  /** From 1, in the order of creation. */
  readonly number: number;
  readonly cause: UpdateCause;
  readonly state: UpdateState;
  readonly createdAt: number;
  readonly endedAt?: number;
  /** What the request asked for, by the names of the API. */
  readonly request: JsonMembers;
  /** The settings of the pipeline when the update was created. */
  readonly config: JsonMembers;
  readonly runAs: string;
  /** How many updates in a row have failed before this one. */
  readonly attempt: number;
  /** When the present state ends by itself; absent: it does not. */
  readonly stepEndsAt?: number;
  /** Counted among the updates that run at once in the workspace. */
  readonly hasRoom?: true;
  readonly clusterId?: string;
  /** Taken of the serverless quota. */
  readonly units?: number;
  /** What its sources come to, once these are read. */
  readonly program?: UpdateProgram;
  /** The task run of a job that waits for this update. */
  readonly waitedForBy?: string;
  /** Why it failed. */
  readonly problem?: string;
}

/** The simulated run of the sources: its end is known when it begins. */
export interface UpdateProgram {
  /** Absent: it never ends. */
  readonly endsAt?: number;
  /** Why it fails at its end. */
  readonly problem?: string;
  readonly flows: readonly Flow[];
}

/** What writes one table. */
export interface Flow {
  readonly name: string;
  readonly outcome: 'COMPLETED' | 'FAILED' | 'EXCLUDED';
}

/** A line of the event log. The key is `eventKey`. */
export interface PipelineEvent {
  readonly id: string;
  readonly pipeline: string;
  readonly number: number;
  readonly at: number;
  readonly level: EventLevel;
  readonly type: EventType;
  readonly message: string;
  readonly origin: JsonMembers;
  readonly details?: JsonMembers;
  readonly error?: JsonMembers;
}

export const EVENT_LEVELS = ['INFO', 'WARN', 'ERROR', 'METRICS'] as const;
export type EventLevel = (typeof EVENT_LEVELS)[number];

export type EventType =
  | 'create_update'
  | 'update_progress'
  | 'flow_progress'
  | 'dataset_definition'
  | 'user_action'
  | 'maintenance_progress';

export const pipelineKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;
export const updateKey = (workspaceId: string, pipelineId: string, id: string): string =>
  `${workspaceId}/${pipelineId}/${id}`;
export const eventKey = (pipeline: string, count: number): string => `${pipeline}/${String(count).padStart(12, '0')}`;

/** A path by which pipelines are found; a digest of one that is longer than an index takes. */
export const sourceMark = (path: string): string =>
  path.length <= LONGEST_INDEXED ? path : `#${createHash('sha256').update(path).digest('hex')}`;

const LONGEST_INDEXED = 250;

/** The notebooks and files that settings name. */
const sourcesIn = ({ spec }: Pipeline): readonly string[] =>
  listOf(spec.libraries).flatMap((each) => {
    const { notebook, file } = membersOf(each);
    return [notebook, file].flatMap((source) => textOf(membersOf(source).path) ?? []).map(sourceMark);
  });

export const pipelines = collection<Pipeline>('platform.pipelines', {
  fields: {
    workspace: text((it) => it.workspaceId),
    id: text((it) => it.id),
    name: text((it) => it.name),
    sourceMarks: set(sourcesIn),
    readers: set(readersOf),
    deletedAt: number((it) => it.deletedAt),
  },
  indexes: [
    ['workspace', 'id'],
    ['workspace', 'name'],
  ],
});

export const updates = collection<Update>('platform.pipeline_updates', {
  fields: {
    pipeline: text(({ workspaceId, pipelineId }) => pipelineKey(workspaceId, pipelineId)),
    number: number((it) => it.number),
    /** The workspace, of an update that waits until there is room for it. */
    queued: text(({ state, workspaceId }) => (state === 'QUEUED' ? workspaceId : undefined)),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [
    ['pipeline', 'number'],
    ['queued', 'createdAt'],
  ],
});

export const pipelineEvents = collection<PipelineEvent>('platform.pipeline_events', {
  fields: {
    pipeline: text((it) => it.pipeline),
    number: number((it) => it.number),
    at: number((it) => it.at),
    level: text((it) => it.level),
    id: text((it) => it.id),
    update: text(({ origin }) => textOf(origin.update_id)),
  },
  indexes: [['pipeline', 'number'], ['pipeline', 'level', 'number'], ['update']],
});

export const PIPELINE_COLLECTIONS = [pipelines, updates, pipelineEvents] as const;
