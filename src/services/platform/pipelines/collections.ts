import { createHash } from 'node:crypto';
import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { listOf, membersOf, textOf } from '../engine/json.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';
import type { UpdateCause, UpdateState } from './states.ts';

/** A declarative pipeline. The key is `pipelineKey`. Every change of a pipeline, its updates or its events locks this document. */
export interface Pipeline {
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly region: string;
  /** Validated, with defaults (`spec.ts`); without the name and the members that belong to the request only. */
  readonly spec: JsonMembers;
  /** Empty if the pipeline has no name. */
  readonly name: string;
  readonly creator: string;
  /** The principal of `run_as`. Absent: updates act as the owner. */
  readonly runAs?: string;
  readonly acl: readonly AclEntry[];
  readonly createdAt: number;
  /** Changes with every change of the settings; compared with `expected_last_modified`. */
  readonly lastModified: number;
  /** Number of updates and events so far, from which the next ones are numbered. */
  readonly updateCount: number;
  readonly eventCount: number;
  /** Newest first. */
  readonly latest: readonly LatestUpdate[];
  /** The active update. */
  readonly active?: string;
  /** Set if the last update failed and is retried at this time. */
  readonly retry?: { readonly at: number; readonly attempt: number };
  /** Time of deletion; the pipeline can be restored for some time. */
  readonly deletedAt?: number;
}

export interface LatestUpdate {
  readonly id: string;
  readonly state: UpdateState;
  readonly createdAt: number;
  readonly clusterId?: string;
  /** Reason of the failure. */
  readonly problem?: string;
}

/** One execution of a pipeline. The key is `updateKey`. */
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
  /** The options of the request, by the names of the API. */
  readonly request: JsonMembers;
  /** The settings of the pipeline when the update was created. */
  readonly config: JsonMembers;
  readonly runAs: string;
  /** Number of consecutive failed updates before this one. */
  readonly attempt: number;
  /** End of the current state; absent if the state does not end by time. */
  readonly stepEndsAt?: number;
  /** True if it counts towards the limit of concurrent updates of the workspace. */
  readonly hasRoom?: true;
  readonly clusterId?: string;
  /** Units that it takes of the serverless quota. */
  readonly units?: number;
  /** The program of its sources, once they have been read. */
  readonly program?: UpdateProgram;
  /** The task run of a job that waits for this update. */
  readonly waitedForBy?: string;
  /** Reason of the failure. */
  readonly problem?: string;
}

/** The simulated run of the sources: its end is known at the start. */
export interface UpdateProgram {
  /** Absent if it never ends. */
  readonly endsAt?: number;
  /** Set if it fails at its end: the reason. */
  readonly problem?: string;
  readonly flows: readonly Flow[];
}

/** A flow writes one table. */
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

/** Index value of a source path: the path, or its digest if the path is longer than an index accepts. */
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
    /** The workspace, if the update waits for capacity. */
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
