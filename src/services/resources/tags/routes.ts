import { Type } from 'typebox';
import { checkTags, mutate, TAGS_API_VERSIONS, TagsSchema, withPrefix } from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute } from '../../../kernel/service/index.ts';
import { changedTags, TAG_OPERATIONS } from './change.ts';
import { readTags, type Tagged, writeTags } from './tagged.ts';

const PATH = '/{scope}/providers/Vendor.Resources/tags/default';
const TYPE = 'Vendor.Resources/tags';

const Properties = Type.Object({ tags: Type.Optional(Type.Union([TagsSchema, Type.Null()])) });
const PutBody = Type.Object({ properties: Properties });
const PatchBody = Type.Object({
  operation: Type.Enum([...TAG_OPERATIONS]),
  properties: Type.Optional(Properties),
});

const text = Type.String();
const TagsResource = Type.Object({
  id: text,
  name: text,
  type: text,
  properties: Type.Object({ tags: TagsSchema }),
});

const common = { path: PATH, apiVersions: TAGS_API_VERSIONS } as const;

/** Tags as a resource: of a subscription, a group, or any resource that has a location and tags. */
export const tagsRoutes: readonly Route[] = [
  armRoute({
    ...common,
    method: 'PUT',
    operation: 'Tags_CreateOrUpdateAtScope',
    summary: 'Replaces all tags of a subscription, a group or a resource',
    action: `${TYPE}/write`,
    body: PutBody,
    responses: { 200: TagsResource },
    async handle(call, arm) {
      const sent = checkTags(call.body.properties.tags ?? undefined);
      return ok(view(await mutate(call, (tx) => writeTags(call, arm, tx, () => sent)), arm.prefix));
    },
  }),
  armRoute({
    ...common,
    method: 'PATCH',
    operation: 'Tags_UpdateAtScope',
    summary: 'Merges tags with the existing ones, replaces them, or deletes the given ones by name and value',
    action: `${TYPE}/write`,
    body: PatchBody,
    responses: { 200: TagsResource },
    async handle(call, arm) {
      const { operation, properties } = call.body;
      const sent = checkTags(properties?.tags ?? undefined);
      const tagged = await mutate(call, (tx) =>
        writeTags(call, arm, tx, (before) => checkTags(changedTags(operation, before, sent))),
      );
      return ok(view(tagged, arm.prefix));
    },
  }),
  armRoute({
    ...common,
    method: 'GET',
    operation: 'Tags_GetAtScope',
    summary: 'The tags of a subscription, a group or a resource',
    action: `${TYPE}/read`,
    responses: { 200: TagsResource },
    handle: async (call, arm) => ok(view(await readTags(call, arm, call.jar.store), arm.prefix)),
  }),
  armRoute({
    ...common,
    method: 'DELETE',
    operation: 'Tags_DeleteAtScope',
    summary: 'Removes all tags of a subscription, a group or a resource',
    action: `${TYPE}/delete`,
    responses: { 200: 'Removed' },
    async handle(call, arm) {
      await mutate(call, (tx) => writeTags(call, arm, tx, () => ({})));
      return { status: 200 };
    },
  }),
];

const view = ({ id, tags }: Tagged, prefix: string): Record<string, unknown> => ({
  id: `${withPrefix(id, prefix)}/providers/${withPrefix(TYPE, prefix)}/default`,
  name: 'default',
  type: withPrefix(TYPE, prefix),
  properties: { tags },
});
