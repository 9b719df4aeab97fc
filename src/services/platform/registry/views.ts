import type { Reader } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import type { ViewContext } from '../engine/kind.ts';
import { namesOf } from '../engine/names.ts';
import {
  type Activity,
  keyOfModel,
  type ModelVersion,
  type RegisteredModel,
  type Tag,
  versionKey,
  versions,
} from './collections.ts';

/** As in the real service, empty lists are omitted from responses. */
const orAbsent = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

const tagViews = (tags: readonly Tag[]): readonly JsonMembers[] | undefined =>
  orAbsent(tags.map(({ key, value }) => ({ key, value })));

export function versionView(
  version: ModelVersion,
  model: Pick<RegisteredModel, 'name' | 'aliases'>,
  { nameOf }: ViewContext,
): JsonMembers {
  const aliases = model.aliases.filter((each) => each.version === version.number).map(({ alias }) => alias);
  return omitAbsent({
    name: model.name,
    version: String(version.number),
    creation_timestamp: version.createdAt,
    last_updated_timestamp: version.updatedAt,
    user_id: nameOf(version.creator),
    current_stage: version.stage,
    description: version.description,
    source: version.source,
    run_id: version.runId,
    run_link: version.runLink,
    status: version.status,
    status_message:
      version.status === 'PENDING_REGISTRATION' ? 'The files of the version are being copied.' : undefined,
    tags: tagViews(version.tags),
    aliases: orAbsent(aliases),
  });
}

/** Wire form of models, each with the newest version of every stage. */
export async function modelViews(
  reader: Reader,
  accountId: string,
  found: readonly RegisteredModel[],
): Promise<readonly JsonMembers[]> {
  const latest = await latestVersions(reader, found);
  const people = [...found, ...latest.values()].map(({ creator }) => creator);
  const names = await namesOf(reader, accountId, people);
  return found.map((model) => {
    const newest = Object.values(model.latest)
      .flatMap((number) => latest.get(versionKey(keyOfModel(model), number)) ?? [])
      .sort((one, other) => one.number - other.number);
    return omitAbsent({
      name: model.name,
      creation_timestamp: model.createdAt,
      last_updated_timestamp: model.updatedAt,
      user_id: names.nameOf(model.creator),
      description: model.description,
      latest_versions: orAbsent(newest.map((version) => versionView(version, model, names))),
      tags: tagViews(model.tags),
      aliases: orAbsent(model.aliases.map(({ alias, version }) => ({ alias, version: String(version) }))),
    });
  });
}

export const modelView = async (reader: Reader, model: RegisteredModel): Promise<JsonMembers> =>
  (await modelViews(reader, model.accountId, [model]))[0] as JsonMembers;

/** Maximum number of documents that one query reads. */
const BATCH = 500;

/** The newest versions of these models, by their keys. */
async function latestVersions(
  reader: Reader,
  found: readonly RegisteredModel[],
): Promise<ReadonlyMap<string, ModelVersion>> {
  const keys = found.flatMap((model) =>
    Object.values(model.latest).map((number) => versionKey(keyOfModel(model), number)),
  );
  const read = new Map<string, ModelVersion>();
  for (let from = 0; from < keys.length; from += BATCH) {
    const values = keys.slice(from, from + BATCH);
    const { items } = await reader.query(versions, { filter: { op: 'in', field: 'ref', values }, limit: BATCH });
    for (const { key, value } of items) read.set(key, value);
  }
  return read;
}

export const activityView = (activity: Activity, { nameOf }: ViewContext): JsonMembers =>
  omitAbsent({
    id: activity.id,
    activity_type: activity.type,
    creation_timestamp: activity.createdAt,
    last_updated_timestamp: activity.updatedAt,
    user_id: nameOf(activity.by),
    comment: activity.comment,
    system_comment: activity.systemComment,
    from_stage: activity.from,
    to_stage: activity.to,
  });
