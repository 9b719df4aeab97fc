import type { Json } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { NotebookLanguage } from '../notebooks/model.ts';
import type { Ending, RunState } from './run.ts';
import type { TaskKind } from './task-kinds.ts';

/** One attempt at a task of a run. The key is `runKey` with its own id. */
export interface TaskRun {
  readonly id: string;
  readonly workspaceId: string;
  readonly runId: string;
  readonly key: string;
  readonly kind: TaskKind;
  readonly attempt: number;
  readonly originalId: string;
  /** How often it was tried again since the run or its last repair began. */
  readonly retries?: number;
  /** Another attempt has taken its place. */
  readonly isSuperseded?: boolean;
  readonly state: RunState;
  readonly ending?: Ending;
  readonly createdAt: number;
  /** Of a task that waits for another attempt or for room: since or until when. */
  readonly waitsFrom?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The cluster that it runs on, or waits for. */
  readonly cluster?: TaskCluster;
  /** Taken of the serverless quota of the account from its start to its end, in units per hour. */
  readonly serverless?: { readonly region: string; readonly units: number };
  /** When its program began, if the task had to wait for its cluster after its start. */
  readonly readyAt?: number;
  readonly execution?: Execution;
  /** Of an iteration of a for-each task. */
  readonly iteration?: { readonly of: string; readonly index: number; readonly input: Json };
  /** Task values that it has set. */
  readonly values?: JsonMembers;
  /** Of a condition: `true` or `false`. */
  readonly conditionOutcome?: string;
  /** The id of the clean room whose notebook it runs, or waits to run. */
  readonly cleanRoom?: string;
  /** What references in its settings stand for, once it has started. */
  readonly resolved?: JsonMembers;
  readonly repairId?: string;
  /** Of a for-each task that is tried again: the attempt before, whose successful iterations are not repeated. */
  readonly after?: string;
  /** Its container was told to end, and this is why. */
  readonly ends?: Ending;
}

export interface TaskCluster {
  readonly id: string;
  /** Whose cluster it is: the task's own (`new_cluster`), shared by tasks of the run (`job_cluster_key`), or there anyway (`existing_cluster_id`). */
  readonly is: 'own' | 'shared' | 'existing';
  /** Of the driver on which the program began. Absent: the task waits for the cluster. */
  readonly contextId?: number;
}

/** How a started task is carried out. */
export type Execution =
  /** A script of the simulated shell: when and how it ends is known from the start. `endsAt` is absent where it never ends. */
  | { readonly by: 'simulation'; readonly endsAt?: number; readonly exitCode: number; readonly isPause?: true }
  /** A container of the jar's engine. */
  | { readonly by: 'container'; readonly uid: string; readonly image: string }
  /** Another run. */
  | { readonly by: 'run'; readonly runId: string }
  /** An update of a pipeline. */
  | { readonly by: 'update'; readonly pipelineId: string; readonly updateId: string }
  /** Iterations, of which so many have not ended. */
  | {
      readonly by: 'iterations';
      readonly total: number;
      /** So many of them have succeeded in an earlier attempt and are not repeated. */
      readonly carried: number;
      /** The attempt whose documents have all inputs, where this one has but those that it repeats. */
      readonly whole?: string;
      /** Inputs are kept apart (`taskInputs`), so many in a document. */
      readonly perDocument: number;
      /** Of all inputs: whether another attempt has the same. */
      readonly digest: string;
      /** So many of those that are not carried have begun. */
      readonly open: number;
      readonly next: number;
      readonly failed: number;
      /** Messages of iterations that failed, by how often they came up. */
      readonly errors?: Readonly<Record<string, number>>;
    }
  /** Decided at once: a condition. */
  | { readonly by: 'decision' };

/** What a task wrote. The key is that of the task run. */
export interface TaskOutput {
  readonly log: string;
  readonly isTruncated: boolean;
  /** `dbutils.notebook.exit`. */
  readonly result?: string;
  readonly isResultTruncated?: true;
  readonly error?: string;
  readonly errorTrace?: string;
  readonly sql?: SqlOutput;
  /** Of a notebook in a clean room: the output tables that it reported. */
  readonly tables?: readonly ReportedTable[];
}

/** As the program wrote it: columns are checked when the table is made. */
export interface ReportedTable {
  readonly name: string;
  readonly columns?: Json;
  readonly rows?: readonly (readonly Json[])[];
}

/** What a task on a SQL warehouse left. */
export interface SqlOutput {
  readonly shows: 'query' | 'alert' | 'dashboard' | 'alert_task' | 'dashboard_task';
  /** In `runs/get-output`. */
  readonly shown: JsonMembers;
  /** What other tasks refer to by `{{tasks.name.output.…}}`: `rows`, `first_row`, `alert_state`. */
  readonly values?: JsonMembers;
  /** The saved query, or the alert, whose permissions decide who may read the text of the query. */
  readonly query?: string;
  readonly alert?: string;
}

/** Some of the inputs of a for-each task, with their places among all of them. The key is that of the task run, `/` and the number of the document. */
export interface TaskInputs {
  readonly entries: readonly { readonly index: number; readonly input: Json }[];
}

/** What a task runs, out of the repository of its job. The key is `gitSourceKey`. */
export type GitSource = NotebookSource | { readonly is: 'file'; readonly text: string };

export interface NotebookSource {
  readonly is: 'notebook';
  readonly language: NotebookLanguage;
  readonly cells: readonly { readonly language: string; readonly text: string }[];
}
