import { isoTime } from '../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import type { ViewContext } from '../engine/kind.ts';
import type { LatestUpdate, Pipeline, PipelineEvent, Update } from './collections.ts';
import { identityOf } from './find.ts';
import { healthOf, pipelineState } from './states.ts';

/** Pipelines, updates and events on the wire. */

/** The settings, as `spec` and as `effective_settings` of a dry run; without an id if the pipeline does not exist yet. */
export const specView = ({ name, spec }: Pick<Pipeline, 'name' | 'spec'>, id?: string): JsonMembers =>
  omitAbsent({
    id,
    ...(name !== '' && { name }),
    // Pipelines that do not publish to a catalog store their tables in the file system.
    ...(spec.catalog === undefined && id !== undefined && { storage: `dbfs:/pipelines/${id}` }),
    ...spec,
  });

const latestView = ({ id, state, createdAt }: LatestUpdate): JsonMembers => ({
  update_id: id,
  state,
  creation_time: isoTime(createdAt),
});

/** A pipeline as an entry of a list. */
export const statusView = (pipeline: Pipeline, { nameOf }: ViewContext): JsonMembers => {
  const { id, name, creator, latest, active } = pipeline;
  return omitAbsent({
    pipeline_id: id,
    name,
    state: pipelineState(pipeline),
    health: healthOf(pipeline),
    cluster_id: latest.find((each) => each.id === active)?.clusterId,
    creator_user_name: nameOf(creator),
    run_as_user_name: nameOf(identityOf(pipeline)),
    ...(latest.length > 0 && { latest_updates: latest.map(latestView) }),
  });
};

/** `cause` is the reason why its newest update failed. */
export const pipelineView = (pipeline: Pipeline, names: ViewContext): JsonMembers =>
  omitAbsent({
    ...statusView(pipeline, names),
    spec: specView(pipeline, pipeline.id),
    last_modified: pipeline.lastModified,
    effective_budget_policy_id: pipeline.spec.budget_policy_id,
    cause: pipeline.latest[0]?.problem,
  });

/** `config` is left out of lists. */
export const updateView = (update: Update, { inList }: { readonly inList: boolean }): JsonMembers => {
  const { id, pipelineId, cause, state, createdAt, clusterId, request, config } = update;
  return omitAbsent({
    pipeline_id: pipelineId,
    update_id: id,
    cause,
    state,
    creation_time: createdAt,
    cluster_id: clusterId,
    full_refresh: false,
    validate_only: false,
    ...request,
    ...(!inList && { config }),
  });
};

export const eventView = (event: PipelineEvent): JsonMembers => {
  const { id, number, at, level, type, message, origin, details, error } = event;
  return omitAbsent({
    id,
    timestamp: isoTime(at),
    level,
    maturity_level: 'STABLE',
    event_type: type,
    message,
    origin,
    sequence: { data_plane_id: { instance: 'execution', seq_no: number }, control_plane_seq_no: number },
    details,
    error,
  });
};
