import { isDeepStrictEqual } from 'node:util';
import { eq, type Reader, readAll, type Store, type Tx } from '../../../../../kernel/store/index.ts';
import { keyOf, listOf, type Securable, securableKey, securables } from '../../core/securables.ts';
import { attachedId, REMOVE_ATTACHED, REMOVE_SECURABLES, removalId } from '../../core/work.ts';
import { mirrorOf } from './mirror.ts';
import { shareBehind, sharedFrom } from './shared-catalog.ts';
import { MIRRORED, type MirroredKind, type Wanted, wantedIn, wantedSchemas } from './wanted.ts';

/**
 * Synchronises a catalog of a share with what the provider currently shares. It runs before each read of the catalog: many kinds of changes
 * at the provider matter (the share, its grants, the content of a shared schema), and none of the code that makes them needs to know the
 * catalogs elsewhere.
 */

interface Place {
  readonly catalog: Securable;
  /** The catalog, or a schema in it. */
  readonly parent: Securable;
  readonly kind: MirroredKind;
}

/** `above` are the ancestors, the nearest first. With a name, only that securable is checked; if it is up to date, nothing else is read. */
export async function refreshMirrors(
  reader: Reader,
  above: readonly Securable[],
  type: Securable['kind'],
  name?: string,
): Promise<void> {
  const catalog = above.find(({ kind }) => kind === 'catalog');
  const [parent] = above;
  if (!catalog || !parent || !sharedFrom(catalog) || !MIRRORED.has(type)) return;
  const place: Place = { catalog, parent, kind: type as MirroredKind };
  if (name !== undefined && (await isFresh(reader, place, name.toLowerCase()))) return;
  const planned = await plan(reader, place);
  if (planned.puts.length + planned.gone.length === 0) return;
  if (isStore(reader)) await reader.transact((tx) => apply(tx, place));
  else if (isTx(reader)) await apply(reader, place);
}

const isStore = (reader: Reader): reader is Reader & Pick<Store, 'transact'> => 'transact' in reader;
const isTx = (reader: Reader): reader is Tx => 'put' in reader;

async function wantedAt(reader: Reader, { catalog, parent, kind }: Place, name?: string): Promise<readonly Wanted[]> {
  const share = await shareBehind(reader, catalog);
  if (!share) return [];
  return kind === 'schema' ? wantedSchemas(reader, share, name) : wantedIn(reader, share, parent.name, kind, name);
}

async function isFresh(reader: Reader, place: Place, name: string): Promise<boolean> {
  const { catalog, parent, kind } = place;
  const [wanted] = await wantedAt(reader, place, name);
  const held = (await reader.get(securables, securableKey(parent.id, kind, name), 'none'))?.value;
  // Functions and models share one name space.
  const found = held?.kind === kind ? held : undefined;
  if (!wanted || !found) return !wanted && !found;
  return isDeepStrictEqual(mirrorOf(catalog, parent, kind, wanted, found), found);
}

interface Planned {
  readonly puts: readonly Securable[];
  readonly gone: readonly Securable[];
}

/** A renamed securable is found by its `via`, and keeps its id and grants. */
async function plan(reader: Reader, place: Place): Promise<Planned> {
  const { catalog, parent, kind } = place;
  const wanted = await wantedAt(reader, place);
  const held = (await readAll(reader, securables, { filter: eq('list', listOf(parent.id, kind)) })).map(
    ({ value }) => value,
  );
  const byVia = new Map(held.map((each) => [each.extra?.via, each]));
  const byName = new Map(held.map((each) => [each.name, each]));
  const vias = new Set(wanted.map(({ via }) => via));
  const kept = new Set<string>();
  const puts: Securable[] = [];
  for (const each of wanted) {
    const sameName = byName.get(each.name);
    const before = byVia.get(each.via) ?? (sameName && !vias.has(String(sameName.extra?.via)) ? sameName : undefined);
    const mirror = mirrorOf(catalog, parent, kind, each, before);
    kept.add(mirror.id);
    if (!isDeepStrictEqual(mirror, before)) puts.push(mirror);
  }
  return { puts, gone: held.filter(({ id }) => !kept.has(id)) };
}

async function apply(tx: Tx, place: Place): Promise<void> {
  const { catalog, parent, kind } = place;
  await tx.lock(`platform.shared-catalog:${catalog.id}`);
  // Another call may have done it, or removed the catalog, meanwhile.
  const isThere = (await tx.get(securables, keyOf(parent), 'share'))?.value.id === parent.id;
  const { puts, gone } = isThere ? await plan(tx, place) : { puts: [], gone: [] };
  const changed = new Set(puts.map(({ id }) => id));
  const before = await readAll(tx, securables, { filter: eq('list', listOf(parent.id, kind)) });
  for (const { key, value } of before) if (changed.has(value.id)) await tx.delete(securables, key);
  for (const each of gone) await remove(tx, each);
  await tx.putAll(
    securables,
    puts.map((each) => [keyOf(each), each] as const),
  );
}

/** Due work removes its descendants, tags and lineage, which can no longer be found by name. Due immediately, at any clock time. */
async function remove(tx: Tx, { kind, metastore, id, ...rest }: Securable): Promise<void> {
  await tx.delete(securables, keyOf({ kind, ...rest }));
  await tx.schedule(REMOVE_ATTACHED.at(0, { id, metastore, kind }, attachedId(id)));
  if (kind === 'schema') await tx.schedule(REMOVE_SECURABLES.at(0, { kind, id }, removalId(id)));
}
