import type { Reader } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import { requireLevel } from '../permissions/guard.ts';
import { type App, appKey, apps } from './collections.ts';
import { isAppName } from './fields.ts';
import { guardedApp } from './guarded.ts';

export async function findApp(
  call: Pick<PlatformCall, 'jar' | 'facts'>,
  name: string,
  level: 'CAN_USE' | 'CAN_MANAGE',
  reader: Reader = call.jar.store,
): Promise<App> {
  const found = isAppName(name) ? (await reader.get(apps, appKey(workspaceIn(call).id, name)))?.value : undefined;
  if (!found)
    throw errors.RESOURCE_DOES_NOT_EXIST({
      reason: `App with name ${name.slice(0, 100)} does not exist or is deleted.`,
    });
  requireLevel(call, guardedApp(found), level);
  return found;
}

/** Throws if the app is being deleted. */
export function checkStays({ name, compute }: App): void {
  if (compute === 'DELETING') throw errors.BAD_REQUEST({ reason: `App ${name} is being deleted.` });
}
