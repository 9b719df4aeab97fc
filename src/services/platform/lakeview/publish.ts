import { ok } from '../../../kernel/http/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { findObject } from '../engine/find.ts';
import { membersOf, numberOf, textOf } from '../engine/json.ts';
import { viewOf } from '../engine/list.ts';
import type { PlatformObject } from '../engine/objects.ts';
import { changeObject, updateExtra } from '../engine/operations.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { DASHBOARDS } from './dashboards.ts';

/** The published revision of a dashboard is a copy of its draft, stored with the draft. */

const FIELDS: FieldRules = {
  embed_credentials: { type: 'boolean', default: false },
  warehouse_id: { type: 'string' },
};

function publishedOf({ id, extra }: PlatformObject): JsonMembers {
  if (extra?.published === undefined)
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Unable to find published dashboard [${id}]` });
  return membersOf(extra.published);
}

function publishedView(object: PlatformObject): JsonMembers {
  const { display_name, warehouse_id, embed_credentials, revisionAt } = publishedOf(object);
  return omitAbsent({
    display_name,
    warehouse_id,
    embed_credentials,
    revision_create_time: isoTime(numberOf(revisionAt) ?? 0),
  });
}

const publish = routeCode(['id'], {
  async handle(call) {
    const said = completeFields(FIELDS, readFields(FIELDS, call.body ?? {}));
    const published = await updateExtra(call, DASHBOARDS, call.params.id, 'publish', ({ fields, extra }) => ({
      ...extra,
      published: omitAbsent({
        display_name: fields.display_name,
        serialized_dashboard: fields.serialized_dashboard,
        warehouse_id: said.warehouse_id ?? fields.warehouse_id,
        embed_credentials: said.embed_credentials,
        revisionAt: call.jar.clock.now(),
      }),
    }));
    return ok(publishedView(published));
  },
});

const unpublish = routeCode(['id'], {
  async handle(call) {
    await updateExtra(call, DASHBOARDS, call.params.id, 'unpublish', (object) => {
      publishedOf(object);
      const { published: _published, ...extra } = object.extra ?? {};
      return extra;
    });
    return ok({});
  },
});

/** Resets the draft to the published revision. */
const revert = routeCode(['id'], {
  async handle(call) {
    const { id } = call.params;
    const fields = { etag: { type: 'string' } } as const;
    const { etag } = readFields(fields, call.body ?? {});
    const { display_name, serialized_dashboard } = publishedOf(await findObject(call, DASHBOARDS, id));
    const draft = omitAbsent({ display_name, serialized_dashboard });
    const reverted = await changeObject(call, DASHBOARDS, id, draft, { ifEtag: textOf(etag) });
    return ok(await viewOf(call, DASHBOARDS, reverted));
  },
});

const PATH = '/lakeview/dashboards/{id}';
const head = (operation: string, summary: string) =>
  ({ operation: `lakeview_${operation}`, summary: `Dashboards: ${summary}` }) as const;

export const PUBLISH_OPERATIONS: readonly Operation[] = [
  { ...head('publish', 'publish the draft'), method: 'POST', path: `${PATH}/published`, code: publish },
  {
    ...head('getPublished', 'read the published revision'),
    method: 'GET',
    path: `${PATH}/published`,
    code: routeCode(['id'], {
      handle: async (call) => ok(publishedView(await findObject(call, DASHBOARDS, call.params.id))),
    }),
  },
  {
    ...head('unpublish', 'remove the published revision'),
    method: 'DELETE',
    path: `${PATH}/published`,
    code: unpublish,
  },
  {
    ...head('revert', 'reset the draft to the published revision'),
    method: 'POST',
    path: `${PATH}/revert`,
    code: revert,
  },
];
