import { allOf, eq, type Filter, pagesOf, type Reader } from '../../../../kernel/store/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import { readPage } from '../../engine/paging.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { readersFilter } from '../../permissions/guard.ts';
import { pathOf } from '../../tree/paths.ts';
import { workspaceNames } from '../../workspace/places.ts';
import { type Experiment, experimentKey, experiments, experimentTags, type Stage } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { checkLength, LONGEST_EXPERIMENT_NAME } from '../names.ts';
import { mostResults } from '../paging.ts';
import { Request } from '../request.ts';
import { experimentNamed } from './create.ts';
import { findExperiment, requireExperiment } from './find.ts';

interface ShownTag {
  readonly key: string;
  readonly value: string;
}

/** Wire form of experiments, in the given order. Their tags take a few queries for all of them. */
export async function experimentViews(reader: Reader, found: readonly Experiment[]) {
  const tags = new Map<string, ShownTag[]>();
  const keys = found.map(({ workspaceId, id }) => experimentKey(workspaceId, id));
  const query = { filter: { op: 'in', field: 'experiment', values: keys }, order: [{ field: 'experiment' }] } as const;
  if (keys.length > 0)
    for await (const page of pagesOf(reader, experimentTags, query)) {
      for (const { value } of page) {
        const known = tags.get(value.experimentId) ?? [];
        tags.set(value.experimentId, known);
        known.push({ key: value.name, value: value.value });
      }
    }
  return found.map((experiment) =>
    omitAbsent({
      experiment_id: experiment.id,
      name: experiment.name,
      artifact_location: experiment.artifactLocation,
      lifecycle_stage: experiment.stage,
      creation_time: experiment.createdAt,
      last_update_time: experiment.updatedAt,
      tags: tags.get(experiment.id),
    }),
  );
}

const viewOf = async (call: PlatformCall, found: Experiment) => {
  const [experiment] = await experimentViews(call.jar.store, [found]);
  return { experiment };
};

/** `experiments/get`. Also returns deleted experiments. */
export async function getExperiment(call: PlatformCall) {
  const id = Request.of(call).need('experiment_id');
  return viewOf(call, await findExperiment(call.jar.store, call, { id, level: 'CAN_READ' }));
}

/** `experiments/get-by-name`. */
export async function getExperimentByName(call: PlatformCall) {
  const { store } = call.jar;
  const name = Request.of(call).need('experiment_name');
  checkLength(name, 'experiment_name', LONGEST_EXPERIMENT_NAME);
  const path = name.startsWith('/') ? pathOf(workspaceNames(name, 'experiment_name')) : name;
  const found = await experimentNamed(store, workspaceIn(call).id, path);
  if (!found) throw trackingErrors.RESOURCE_DOES_NOT_EXIST__NodeName({ name });
  await requireExperiment(store, call, found, 'CAN_READ');
  return viewOf(call, found);
}

const VIEW_TYPES = ['ACTIVE_ONLY', 'DELETED_ONLY', 'ALL'] as const;
export type ViewType = (typeof VIEW_TYPES)[number];

export const viewTypeIn = (request: Request, field = 'view_type'): ViewType =>
  request.word(field, VIEW_TYPES) ?? 'ACTIVE_ONLY';

export const STAGES: Readonly<Record<ViewType, readonly Stage[]>> = {
  ACTIVE_ONLY: ['active'],
  DELETED_ONLY: ['deleted'],
  ALL: ['active', 'deleted'],
};

/** Filter for lists: the experiments of a view in the workspace that the caller may read. */
export const visibleExperiments = (call: PlatformCall, view: ViewType): Filter =>
  allOf(eq('workspace', workspaceIn(call).id), { op: 'in', field: 'stage', values: STAGES[view] }, readersFilter(call));

const LISTED = { usual: 1000, most: 1000 };

/** `experiments/list`: newest first. */
export async function listExperiments(call: PlatformCall) {
  const { store } = call.jar;
  const request = Request.of(call);
  const size = mostResults(request, LISTED);
  const { items, next } = await readPage(call, {
    collection: experiments,
    query: { filter: visibleExperiments(call, viewTypeIn(request)), order: [{ field: 'createdBack' }] },
    size,
  });
  const shown = await experimentViews(
    store,
    items.map(({ value }) => value),
  );
  return { ...(shown.length > 0 && { experiments: shown }), ...(next !== undefined && { next_page_token: next }) };
}
