import type { Reader, Tx } from '../../../kernel/store/index.ts';
import type { AclEntry } from '../permissions/acl.ts';
import type { Guarded } from '../permissions/guard.ts';
import { type App, appKey, apps } from './collections.ts';
import { isAppName } from './fields.ts';

export const guardedApp = ({ name, acl }: App): Guarded => ({ type: 'apps', id: name, acl });

/** The permissions API finds apps by name. */
export const GUARDED_APPS = {
  async find(reader: Reader, workspaceId: string, name: string): Promise<Guarded | undefined> {
    const found = isAppName(name) ? (await reader.get(apps, appKey(workspaceId, name)))?.value : undefined;
    return found && found.compute !== 'DELETING' ? guardedApp(found) : undefined;
  },
  async save(tx: Tx, workspaceId: string, name: string, acl: readonly AclEntry[]): Promise<void> {
    const key = appKey(workspaceId, name);
    const found = (await tx.get(apps, key))?.value;
    if (found) await tx.put(apps, key, { ...found, acl });
  },
};
