import type { Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { checkFixed } from '../engine/fields.ts';
import { checkMask, isWhole, maskedFields, readMask } from '../engine/mask.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import type { App } from './collections.ts';
import { APP_FIELDS, readApp } from './fields.ts';
import { checkStays, findApp } from './find.ts';
import { changeGrants } from './resources.ts';
import { beginState, checkNotUpdating, putApp, recordApp, scheduleStep } from './transitions.ts';

/** Changes of apps: immediate, or by due work if the compute changes as well. */

/** The fields in the request take effect immediately; the others stay. */
export async function patchApp(call: PlatformCall, name: string): Promise<App> {
  await findApp(call, name, 'CAN_MANAGE');
  const said = readApp(call.body ?? {}, false);
  return change(call, name, said, async (tx, app) => {
    const { compute_size: size } = said;
    if (size !== undefined && size !== app.fields.compute_size)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The compute size of app ${name} can only be changed by POST /api/2.0/apps/${name}/update.`,
      });
    const fields = { ...app.fields, ...said };
    await changeGrants(tx, call, app.principal.id, app.fields, fields);
    return putApp(tx, call.jar, { ...app, fields });
  });
}

/** The fields in the mask change when the update ends. */
export async function updateApp(call: PlatformCall, name: string): Promise<App> {
  await findApp(call, name, 'CAN_MANAGE');
  const body = (call.body ?? {}) as JsonMembers;
  const mask = readMask(body.update_mask, 'one');
  if (mask === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'update_mask' });
  checkMask(mask, APP_FIELDS, () => false);
  const whole = readApp(body.app ?? {}, isWhole(mask), 'app.');
  const named = new Set(maskedFields(mask));
  const said = isWhole(mask) ? whole : masked(whole, named);
  return change(call, name, said, async (tx, app) => {
    if (app.compute !== 'ACTIVE' && app.compute !== 'STOPPED')
      throw errors.RESOURCE_CONFLICT({ reason: `App ${name} cannot be updated while its compute is ${app.compute}.` });
    await changeGrants(tx, call, app.principal.id, app.fields, { ...app.fields, ...said });
    const update = { fields: said, state: 'IN_PROGRESS', message: 'The update is in progress.' } as const;
    const updating = { ...app, update };
    if (app.compute === 'ACTIVE') return beginState(tx, call.jar, updating, 'UPDATING');
    await scheduleStep(tx, call.jar, app, 'appUpdate');
    return putApp(tx, call.jar, updating);
  });
}

/** A field that is in the mask but not in the request is reset to its default. */
const masked = (said: JsonMembers, named: ReadonlySet<string>): JsonMembers =>
  Object.fromEntries([...named].map((field) => [field, said[field] ?? APP_FIELDS[field]?.default ?? EMPTY[field]]));

const EMPTY: JsonMembers = { resources: [], user_api_scopes: [], budget_policy_id: '', usage_policy_id: '' };

const change = (
  call: PlatformCall,
  name: string,
  said: JsonMembers,
  changed: (tx: Tx, app: App) => Promise<App>,
): Promise<App> =>
  call.jar.store.transact(async (tx) => {
    const app = await findApp(call, name, 'CAN_MANAGE', tx);
    checkStays(app);
    checkNotUpdating(app);
    checkFixed(APP_FIELDS, app.fields, said);
    const after = await changed(tx, { ...app, updater: callerIdentity(call).principal.id });
    await recordApp(tx, call.jar, 'update', after);
    return after;
  });
