import { allOf, eq } from '../../../../kernel/store/index.ts';
import { workspaces } from '../../accounts/collections.ts';
import { guardedObject } from '../../engine/find.ts';
import { objectKey, objects, type PlatformObject, placeOf } from '../../engine/objects.ts';
import type { RunChange } from '../../jobs/running/run-change.ts';
import { type ObjectType, typeRow } from '../../permissions/levels.ts';
import { mayUse } from '../../workspace/guarded.ts';

/** Permission types by the kind of object that a task runs. */
const TYPES = {
  queries: 'queries',
  alerts: 'alerts',
  'alerts-v2': 'alertsv2',
  'legacy-dashboards': 'dbsql-dashboards',
  'lakeview-dashboards': 'dashboards',
} as const satisfies Readonly<Record<string, ObjectType>>;

type SqlKind = keyof typeof TYPES;

interface Named {
  readonly id: string | undefined;
  readonly path?: string | undefined;
}

/** An object of one of these kinds, if the principal that the run acts as may run it. Returns a text with the reason otherwise. */
export async function findForRun(
  change: RunChange,
  kinds: readonly SqlKind[],
  named: Named,
): Promise<PlatformObject | string> {
  const { tx, jar, run } = change;
  for (const kind of kinds) {
    const found = await find(change, kind, named);
    if (!found || found.trashedAt !== undefined) continue;
    const standing = await jar.callerIdentities.within(tx, run.accountId, run.runAs);
    const workspace = (await tx.get(workspaces, run.workspaceId, 'none'))?.value;
    const guarded = guardedObject(TYPES[kind], found);
    if (standing && workspace && mayUse({ standing, workspace }, guarded, 'CAN_RUN')) return found;
    return `The identity of the run does not have CAN_RUN on ${found.id}.`;
  }
  const title = kinds[0] && typeRow(TYPES[kinds[0]]).objectType;
  return `There is no ${title} '${(named.id ?? named.path ?? '').slice(0, 200)}'.`;
}

async function find({ tx, run }: RunChange, kind: SqlKind, { id, path }: Named): Promise<PlatformObject | undefined> {
  const { workspaceId } = run;
  if (id !== undefined) return (await tx.get(objects, objectKey(workspaceId, kind, id)))?.value;
  const parts = /^(?:\/Workspace)?(\/.*)?\/([^/]+?)(?:\.dbalert\.json)?$/.exec(path ?? '');
  if (!parts) return undefined;
  const [, folder = '/', name = ''] = parts;
  const filter = allOf(
    eq('folder', `${placeOf(workspaceId, kind)}/${folder.toLowerCase()}`),
    eq('name', name.toLowerCase()),
    eq('trashedAt', null),
  );
  const key = (await tx.query(objects, { filter, limit: 1 })).items[0]?.key;
  // Read again by key: an evaluation writes the document, which must be locked for that.
  return key === undefined ? undefined : (await tx.get(objects, key))?.value;
}
