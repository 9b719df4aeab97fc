import { shortId } from '../../../../kernel/ids/index.ts';
import { allOf, eq, readAll, type Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { scopeOf } from '../../engine/find.ts';
import type { Draft, ObjectKind } from '../../engine/kind.ts';
import { objectKey, objects, type PlatformObject, placeOf } from '../../engine/objects.ts';
import { errors } from '../../errors.ts';
import { isBase64, scriptBytes } from './script.ts';

const NAME = 'global-init-scripts';
const MOST_SCRIPT_BYTES = 64 * 1024;
const MOST_SCRIPTS = 200;

/** Scripts that run on every node of every cluster in the workspace, in the order of their positions. */
export const GLOBAL_INIT_SCRIPTS: ObjectKind = {
  name: NAME,
  title: 'Global init script',
  scope: 'workspace',
  idField: 'script_id',
  newId: () => shortId(16).toUpperCase(),
  nameField: 'name',
  unique: 'scope',
  fields: {
    name: { type: 'string', required: true, least: 1, most: 500 },
    script: { type: 'string', required: true },
    enabled: { type: 'boolean', default: false },
    position: { type: 'integer', least: 0 },
  },
  hooks: {
    check: async (tx, call, draft, before) => placed(tx, scopeOf(call, { scope: 'workspace' }), draft, before),
    deleted: (tx, _call, object) => closeGap(tx, object),
  },
  view: ({ id, fields, createdBy, createdAt, updatedBy, updatedAt }, { nameOf }) => ({
    script_id: id,
    ...fields,
    created_at: createdAt,
    created_by: nameOf(createdBy),
    updated_at: updatedAt,
    updated_by: nameOf(updatedBy),
  }),
};

/** All scripts of a workspace in the order of execution. A transaction that changes positions holds the lock. */
export async function scriptsOf(tx: Pick<Tx, 'query'>, workspaceId: string): Promise<readonly PlatformObject[]> {
  const filter = allOf(eq('place', placeOf(workspaceId, NAME)), eq('trashedAt', null));
  const found = (await readAll(tx, objects, { filter })).map(({ value }) => value);
  return found.sort((left, right) => Number(left.fields.position) - Number(right.fields.position));
}

const locked = (tx: Tx, workspaceId: string): Promise<void> => tx.lock(`platform.init-scripts:${workspaceId}`);

async function move(tx: Tx, script: PlatformObject, position: number): Promise<void> {
  if (script.fields.position === position) return;
  const key = objectKey(script.scope, NAME, script.id);
  await tx.put(objects, key, { ...script, fields: { ...script.fields, position } });
}

/** The fields with the resulting position. Other scripts are shifted: positions are 0, 1, 2 and so on, without gaps. */
async function placed(
  tx: Tx,
  workspaceId: string,
  { fields }: Draft,
  before: PlatformObject | undefined,
): Promise<JsonMembers> {
  const script = String(fields.script);
  if (!isBase64(script)) throw errors.INVALID_PARAMETER_VALUE({ reason: "The field 'script' must be base64." });
  if (scriptBytes(script) > MOST_SCRIPT_BYTES)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `A script must have at most ${MOST_SCRIPT_BYTES} bytes.` });
  await locked(tx, workspaceId);
  const others = (await scriptsOf(tx, workspaceId)).filter(({ id }) => id !== before?.id);
  if (others.length >= MOST_SCRIPTS)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `A workspace can have at most ${MOST_SCRIPTS} global init scripts.`,
    });
  const asked = fields.position ?? before?.fields.position;
  const position = Math.min(typeof asked === 'number' ? asked : others.length, others.length);
  for (const [index, other] of others.entries()) await move(tx, other, index < position ? index : index + 1);
  return { position };
}

async function closeGap(tx: Tx, { scope, id }: PlatformObject): Promise<void> {
  await locked(tx, scope);
  const others = (await scriptsOf(tx, scope)).filter((each) => each.id !== id);
  for (const [index, other] of others.entries()) await move(tx, other, index);
}
