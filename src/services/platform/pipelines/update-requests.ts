import { allOf, eq } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { type FieldRule, type FieldRules, readFields } from '../engine/fields.ts';
import { membersOf, textsOf } from '../engine/json.ts';
import { readTwoWayPage } from '../engine/two-way-paging.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { pipelineKey, updates } from './collections.ts';
import { changePipeline, findPipeline, findUpdate } from './find.ts';
import { resultsIn, textIn } from './list.ts';
import { UPDATE_CAUSES, type UpdateCause } from './states.ts';
import { startUpdate } from './updates/start.ts';
import { stopPipeline } from './updates/stop.ts';
import { updateView } from './view.ts';

/** Requests to start, read and stop updates. */

const names: FieldRule = { type: 'array', most: 1000, items: { type: 'string', least: 1, most: 1000 } };

const UPDATE_FIELDS: FieldRules = {
  full_refresh: { type: 'boolean' },
  refresh_selection: names,
  full_refresh_selection: names,
  refresh_flow_selection: names,
  validate_only: { type: 'boolean' },
  parameters: { type: 'object' },
  cause: { type: 'string', words: UPDATE_CAUSES },
};

interface Asked {
  readonly cause: UpdateCause;
  readonly request: JsonMembers;
}

function readUpdate(body: unknown): Asked {
  const { cause = 'API_CALL', ...request } = readFields(UPDATE_FIELDS, body ?? {});
  for (const [name, value] of Object.entries(membersOf(request.parameters)))
    if (typeof value !== 'string' || name.length > 255)
      throw errors.MALFORMED_REQUEST({
        reason: `Could not parse request object: the field 'parameters.${name.slice(0, 100)}' must be a string.`,
      });
  const both = textsOf(request.full_refresh_selection).find((each) =>
    textsOf(request.refresh_selection).includes(each),
  );
  if (both !== undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The table '${both.slice(0, 200)}' is in refresh_selection and in full_refresh_selection.`,
    });
  return { cause: cause as UpdateCause, request };
}

export async function requestUpdate(call: PlatformCall, id: string): Promise<JsonMembers> {
  await findPipeline(call, id, 'CAN_RUN');
  const asked = readUpdate(call.body);
  return call.jar.store.transact(async (tx) => {
    const change = await changePipeline(tx, call, id, 'CAN_RUN');
    const update = await startUpdate(change, asked);
    await change.save();
    return { update_id: update.id };
  });
}

export const requestStop = (call: PlatformCall, id: string): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const change = await changePipeline(tx, call, id, 'CAN_RUN');
    await stopPipeline(change);
    await change.save();
  });

/** From now on, updates in development use the environment of the settings. */
export const applyEnvironment = (call: PlatformCall, id: string): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const change = await changePipeline(tx, call, id, 'CAN_MANAGE');
    const { environment = {} } = change.pipeline.spec;
    change.note({
      type: 'user_action',
      message: 'The environment of the pipeline was applied.',
      details: { user_action: { action: 'APPLY_ENVIRONMENT', environment } },
    });
    await change.save();
  });

/** Newest first, down to `until_update_id` if it is given. */
export async function listUpdates(call: PlatformCall, id: string): Promise<object> {
  const { jar, query } = call;
  const pipeline = await findPipeline(call, id, 'CAN_VIEW');
  const until = textIn(query, 'until_update_id');
  const last = until === '' ? undefined : await findUpdate(jar.store, pipeline, until);
  const { items, tokens } = await readTwoWayPage(call, {
    collection: updates,
    query: {
      filter: allOf(
        eq('pipeline', pipelineKey(pipeline.workspaceId, pipeline.id)),
        last && { op: 'ge', field: 'number', value: last.number },
      ),
      order: [{ field: 'number', descending: true }],
    },
    size: resultsIn(query, 25, 100),
    token: textIn(query, 'page_token'),
  });
  return { updates: items.map(({ value }) => updateView(value, { inList: true })), ...tokens };
}

export async function getUpdate(call: PlatformCall, id: string, asked: string): Promise<object> {
  const pipeline = await findPipeline(call, id, 'CAN_VIEW');
  return { update: updateView(await findUpdate(call.jar.store, pipeline, asked), { inList: false }) };
}
