import { uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import type { PlatformJar } from '../jar.ts';
import {
  type EventLevel,
  type EventType,
  eventKey,
  type LatestUpdate,
  type Pipeline,
  type PipelineEvent,
  pipelineEvents,
  pipelineKey,
  pipelines,
  type Update,
  updateKey,
  updates,
} from './collections.ts';

/** Number of latest updates that a pipeline shows. */
const LATEST = 5;

export interface NewEvent {
  readonly type: EventType;
  readonly message: string;
  readonly level?: EventLevel;
  readonly update?: Pick<Update, 'id' | 'clusterId'>;
  /** For example `flow_name`, `dataset_name`. */
  readonly origin?: JsonMembers;
  readonly details?: JsonMembers;
  readonly error?: JsonMembers;
}

/** A pipeline within one transaction, which locks its document. Changes are written once, by `save`. */
export class PipelineChange {
  readonly tx: Tx;
  readonly jar: PlatformJar;
  pipeline: Pipeline;
  readonly #updates = new Map<string, Update>();
  readonly #events: PipelineEvent[] = [];

  /** Returns undefined if the pipeline does not exist; deleted pipelines are returned. */
  static async load(tx: Tx, jar: PlatformJar, key: string): Promise<PipelineChange | undefined> {
    const found = (await tx.get(pipelines, key))?.value;
    return found && new PipelineChange(tx, jar, found);
  }

  constructor(tx: Tx, jar: PlatformJar, pipeline: Pipeline) {
    this.tx = tx;
    this.jar = jar;
    this.pipeline = pipeline;
  }

  get now(): number {
    return this.jar.clock.now();
  }

  get key(): string {
    return pipelineKey(this.pipeline.workspaceId, this.pipeline.id);
  }

  async update(id: string): Promise<Update | undefined> {
    const { workspaceId, id: pipelineId } = this.pipeline;
    return this.#updates.get(id) ?? (await this.tx.get(updates, updateKey(workspaceId, pipelineId, id)))?.value;
  }

  /** The active update. */
  async active(): Promise<Update | undefined> {
    return this.pipeline.active === undefined ? undefined : this.update(this.pipeline.active);
  }

  /** Writes an update, and its state into the latest updates of the pipeline. */
  putUpdate(update: Update): Update {
    this.#updates.set(update.id, update);
    const { id, state, createdAt, clusterId, problem } = update;
    const shown: LatestUpdate = omitAbsent({ id, state, createdAt, clusterId, problem });
    const { latest } = this.pipeline;
    const isKnown = latest.some((each) => each.id === id);
    const next = isKnown ? latest.map((each) => (each.id === id ? shown : each)) : [shown, ...latest];
    this.pipeline = { ...this.pipeline, latest: next.slice(0, LATEST) };
    return update;
  }

  note({ type, message, level = 'INFO', update, origin = {}, details, error }: NewEvent): void {
    const { workspaceId, id, name, region, eventCount } = this.pipeline;
    const number = eventCount + 1;
    this.pipeline = { ...this.pipeline, eventCount: number };
    this.#events.push({
      id: uuid(),
      pipeline: this.key,
      number,
      at: this.now,
      level,
      type,
      message,
      origin: omitAbsent({
        cloud: 'Azure',
        region,
        org_id: Number(workspaceId),
        pipeline_id: id,
        pipeline_name: name,
        update_id: update?.id,
        cluster_id: update?.clusterId,
        ...origin,
      }),
      ...(details && { details }),
      ...(error && { error }),
    });
  }

  async save(): Promise<void> {
    const { tx, key } = this;
    await tx.put(pipelines, key, this.pipeline);
    for (const update of this.#updates.values())
      await tx.put(updates, updateKey(update.workspaceId, update.pipelineId, update.id), update);
    await tx.putAll(
      pipelineEvents,
      this.#events.map((event) => [eventKey(key, event.number), event] as const),
    );
    this.#updates.clear();
    this.#events.length = 0;
  }
}

/** For the audit trail and the change feed. */
export const recordPipeline = (
  { tx, jar, pipeline: { workspaceId, id } }: PipelineChange,
  kind: string,
  update?: Pick<Update, 'id' | 'state' | 'createdAt'>,
): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceId}/pipelines/${id}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: {
      kind: 'pipelines',
      id,
      ...(update && { update: update.id, state: update.state, createdAt: isoTime(update.createdAt) }),
    },
  });
