import { allOf, eq, type Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { nameOf } from '../access/standing.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, standingIn, workspaceIn } from '../jar.ts';
import { checkBound } from '../limits/take.ts';
import { textOf } from './json.ts';
import type { ObjectKind } from './kind.ts';
import { objects, type PlatformObject, placeOf } from './objects.ts';

/** Kinds of objects that people see in folders of the workspace: queries, alerts, dashboards. */

const PREFIX = '/Workspace';
const LONGEST_PATH = 4096;

/** The path of a folder as it is kept: without `/Workspace` in front and `/` at the end. The caller's home where none is given. */
export function folderPath(call: PlatformCall, sent: string | undefined): string {
  if (sent === undefined || sent === '') return `/Users/${nameOf(standingIn(call).principal)}`;
  if (!sent.startsWith('/') || sent.length > LONGEST_PATH)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The path '${sent.slice(0, 200)}' must begin with /.` });
  const path = sent.startsWith(`${PREFIX}/`) || sent === PREFIX ? sent.slice(PREFIX.length) : sent;
  return path.replace(/\/+$/, '') || '/';
}

/** As clients see it. Folders that the older API names by a number have no path. */
export const shownFolder = (folder: string): string => (folder.startsWith('/') ? `${PREFIX}${folder}` : folder);

const MOST_LIKE = 1000;

/** A name that is free in the folder: the name itself, or with ` (1)` and so on behind it. In the transaction that uses it. */
async function freeName(tx: Tx, { kind, scope, folder, name, id }: Wanted): Promise<string> {
  const place = placeOf(scope, kind.name);
  const wanted = name.toLowerCase();
  // Others who look for a name like this one wait until this transaction has used its.
  await tx.lock(`platform.names:${place}:${wanted}`);
  const filter = allOf(
    eq('folder', `${place}/${folder.toLowerCase()}`),
    { op: 'startsWith', field: 'name', value: wanted },
    eq('trashedAt', null),
  );
  const { items } = await tx.query(objects, { filter, limit: MOST_LIKE });
  const used = new Set(items.flatMap(({ value }) => (value.id === id ? [] : [value.name?.toLowerCase()])));
  if (!used.has(wanted)) return name;
  let number = 1;
  while (used.has(`${wanted} (${number})`)) number++;
  return `${name} (${number})`;
}

interface Wanted {
  readonly kind: ObjectKind;
  readonly scope: string;
  readonly folder: string;
  readonly name: string;
  readonly id: string | undefined;
}

/**
 * For the hook that checks an object of such a kind: its folder, which is checked for a new object only, and its name, which is bounded like those of
 * everything in the workspace and resolved where the request says so.
 */
export async function inFolder(
  tx: Tx,
  call: PlatformCall,
  kind: ObjectKind,
  fields: JsonMembers,
  before: PlatformObject | undefined,
): Promise<JsonMembers> {
  const [folderField, nameField] = [kind.folderField ?? '', kind.nameField ?? ''];
  const sent = textOf(fields[folderField]);
  const folder =
    sent !== undefined && sent === before?.folder ? sent : sent?.startsWith('folders/') ? sent : folderPath(call, sent);
  const { id: scope } = workspaceIn(call);
  const name = textOf(fields[nameField]) ?? '';
  checkBound(call.jar, 'object-name-length', [scope], name.length);
  const resolves =
    typeof call.body === 'object' &&
    call.body !== null &&
    'auto_resolve_display_name' in call.body &&
    call.body.auto_resolve_display_name === true;
  const free = resolves ? await freeName(tx, { kind, scope, folder, name, id: before?.id }) : name;
  return { [folderField]: folder, [nameField]: free };
}
