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
  /** Number of retries since the run or its last repair started. */
  readonly retries?: number;
  /** A later attempt has replaced it. */
  readonly isSuperseded?: boolean;
  readonly state: RunState;
  readonly ending?: Ending;
  readonly createdAt: number;
  /** Set while the task waits: for a slot, the time since when; for its next attempt, the time until when. */
  readonly waitsFrom?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The cluster that it runs on or waits for. */
  readonly cluster?: TaskCluster;
  /** Units per hour that it takes of the account's serverless quota from its start to its end. */
  readonly serverless?: { readonly region: string; readonly units: number };
  /** Start of its program, if the task waited for its cluster after its start. */
  readonly readyAt?: number;
  readonly execution?: Execution;
  /** Set for an iteration of a for-each task. */
  readonly iteration?: { readonly of: string; readonly index: number; readonly input: Json };
  /** Task values that it has set. */
  readonly values?: JsonMembers;
  /** Result of a condition: `true` or `false`. */
  readonly conditionOutcome?: string;
  /** The id of the clean room whose notebook it runs, or waits to run. */
  readonly cleanRoom?: string;
  /** Its settings with references resolved, once it has started. */
  readonly resolved?: JsonMembers;
  readonly repairId?: string;
  /** Set for a retried for-each task: the previous attempt, whose successful iterations are not repeated. */
  readonly after?: string;
  /** Set once its container was asked to stop: the reason. */
  readonly ends?: Ending;
}

export interface TaskCluster {
  readonly id: string;
  /**
   * Ownership of the cluster: of the task (`new_cluster`), shared by tasks of the run (`job_cluster_key`), or existing
   * (`existing_cluster_id`).
   */
  readonly is: 'own' | 'shared' | 'existing';
  /** Context of the driver on which the program started. Absent while the task waits for the cluster. */
  readonly contextId?: number;
}

/** How a started task is executed. */
export type Execution =
  /** A script of the simulated shell: when and how it ends is known from the start. `endsAt` is absent if it never ends. */
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
      /** Number of iterations that succeeded in an earlier attempt and are not repeated. */
      readonly carried: number;
      /** The attempt whose documents hold all inputs, if this attempt stores only the inputs that it repeats. */
      readonly whole?: string;
      /** Number of inputs per document; inputs are stored separately (`taskInputs`). */
      readonly perDocument: number;
      /** Digest of all inputs, to detect whether another attempt has the same inputs. */
      readonly digest: string;
      /** So many of those that are not carried have begun. */
      readonly open: number;
      readonly next: number;
      readonly failed: number;
      /** Messages of failed iterations, with the number of occurrences. */
      readonly errors?: Readonly<Record<string, number>>;
    }
  /** A condition, which is decided immediately. */
  | { readonly by: 'decision' };

/** Output of a task. The key is that of the task run. */
export interface TaskOutput {
  readonly log: string;
  readonly isTruncated: boolean;
  /** `dbutils.notebook.exit`. */
  readonly result?: string;
  readonly isResultTruncated?: true;
  readonly error?: string;
  readonly errorTrace?: string;
  readonly sql?: SqlOutput;
  /** Output tables that a notebook in a clean room reported. */
  readonly tables?: readonly ReportedTable[];
}

/** As written by the program: columns are validated when the table is created. */
export interface ReportedTable {
  readonly name: string;
  readonly columns?: Json;
  readonly rows?: readonly (readonly Json[])[];
}

/** Output of a task on a SQL warehouse. */
export interface SqlOutput {
  readonly shows: 'query' | 'alert' | 'dashboard' | 'alert_task' | 'dashboard_task';
  /** Shown in `runs/get-output`. */
  readonly shown: JsonMembers;
  /** Values for references of other tasks, `{{tasks.name.output.…}}`: `rows`, `first_row`, `alert_state`. */
  readonly values?: JsonMembers;
  /** The saved query or the alert whose permissions decide who may read the text of the query. */
  readonly query?: string;
  readonly alert?: string;
}

/** A slice of the inputs of a for-each task, with their indexes. The key is that of the task run, `/` and the number of the document. */
export interface TaskInputs {
  readonly entries: readonly { readonly index: number; readonly input: Json }[];
}

/** A task's source, from the repository of its job. The key is `gitSourceKey`. */
export type GitSource = NotebookSource | { readonly is: 'file'; readonly text: string };

export interface NotebookSource {
  readonly is: 'notebook';
  readonly language: NotebookLanguage;
  readonly cells: readonly { readonly language: string; readonly text: string }[];
}
