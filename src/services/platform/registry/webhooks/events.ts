import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import type { RegistryChange } from '../registry-changes.ts';
import type { Stage } from '../stages.ts';

/** Events that webhooks of the platform can subscribe to. */
export const REGISTRY_EVENTS = [
  'MODEL_VERSION_CREATED',
  'MODEL_VERSION_TRANSITIONED_STAGE',
  'TRANSITION_REQUEST_CREATED',
  'COMMENT_CREATED',
  'REGISTERED_MODEL_CREATED',
  'MODEL_VERSION_TAG_SET',
  'MODEL_VERSION_TRANSITIONED_TO_STAGING',
  'MODEL_VERSION_TRANSITIONED_TO_PRODUCTION',
  'MODEL_VERSION_TRANSITIONED_TO_ARCHIVED',
  'TRANSITION_REQUEST_TO_STAGING_CREATED',
  'TRANSITION_REQUEST_TO_PRODUCTION_CREATED',
  'TRANSITION_REQUEST_TO_ARCHIVED_CREATED',
] as const;

export type RegistryEvent = (typeof REGISTRY_EVENTS)[number];

/** Only webhooks of all models can subscribe to it, because the model does not exist before. */
export const OF_ALL_MODELS: RegistryEvent = 'REGISTERED_MODEL_CREATED';

/** A return to `None` has no event of its own. */
const named = (start: string, stage: Stage, end = ''): readonly RegistryEvent[] => {
  const name = `${start}${stage.toUpperCase()}${end}`;
  return REGISTRY_EVENTS.filter((event) => event === name);
};

/** The webhook events of a registry event, the general one first. */
export function eventsOf(happening: RegistryChange): readonly RegistryEvent[] {
  switch (happening.what) {
    case 'model-created':
      return ['REGISTERED_MODEL_CREATED'];
    case 'version-created':
      return ['MODEL_VERSION_CREATED'];
    case 'stage-changed':
      return ['MODEL_VERSION_TRANSITIONED_STAGE', ...named('MODEL_VERSION_TRANSITIONED_TO_', happening.to)];
    case 'transition-requested':
      return ['TRANSITION_REQUEST_CREATED', ...named('TRANSITION_REQUEST_TO_', happening.to, '_CREATED')];
    case 'comment-created':
      return ['COMMENT_CREATED'];
    case 'version-tag-set':
      return ['MODEL_VERSION_TAG_SET'];
    default:
      return [];
  }
}

/** The content of a message apart from event, webhook and time. `user` is the name of the user who caused the event. */
export function contentOf(happening: RegistryChange, user: string): JsonMembers {
  const { model } = happening;
  const version = 'version' in happening ? happening.version.number : undefined;
  return omitAbsent({
    model_name: model.name,
    version: version === undefined ? undefined : String(version),
    to_stage: 'to' in happening ? happening.to : undefined,
    from_stage: 'from' in happening ? happening.from : undefined,
    tags: happening.what === 'version-tag-set' ? [{ ...happening.tag }] : undefined,
    comment: 'comment' in happening ? happening.comment : undefined,
    text: sentenceOf(happening, user),
  });
}

/** For chat tools, which show `text`. */
function sentenceOf(happening: RegistryChange, user: string): string {
  const model = `Registered model '${happening.model.name}'`;
  const version = 'version' in happening ? `${model} version ${happening.version.number}` : model;
  switch (happening.what) {
    case 'model-created':
      return `${model} was created by ${user}.`;
    case 'version-created':
      return `${version} was created by ${user}.`;
    case 'stage-changed':
      return `${version} transitioned from ${happening.from} to ${happening.to}.`;
    case 'transition-requested':
      return `${user} requested a transition of ${version[0]?.toLowerCase()}${version.slice(1)} to ${happening.to}.`;
    case 'comment-created':
      return `${user} commented on ${version[0]?.toLowerCase()}${version.slice(1)}: ${happening.comment.slice(0, 500)}`;
    case 'version-tag-set':
      return `${user} set the tag '${happening.tag.key}' of ${version[0]?.toLowerCase()}${version.slice(1)}.`;
    default:
      return `${version} was changed by ${user}.`;
  }
}
