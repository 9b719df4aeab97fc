import { eq, type Reader, type ReadLock } from '../../../../kernel/store/index.ts';
import { refreshMirrors } from '../sharing/mirrors/refresh.ts';
import { catalogErrors, doesNotExist } from './errors.ts';
import { partsOf } from './names.ts';
import type { SecurableType } from './privileges.ts';
import { type Securable, securableKey, securables } from './securables.ts';

/** A securable with all its ancestors, the nearest first; the last is the metastore. */
export interface Chain {
  readonly target: Securable;
  readonly above: readonly Securable[];
}

/** The name of the metastore is not part of full names. */
export const fullNameOf = ({ target, above }: Chain): string =>
  target.kind === 'metastore'
    ? target.name
    : [...above.slice(0, -1).toReversed(), target].map(({ name }) => name).join('.');

export const metastoreOf = ({ target, above }: Chain): Securable => above.at(-1) ?? target;

export const below = ({ target, above }: Chain, child: Securable): Chain => ({
  target: child,
  above: [target, ...above],
});

/** The chain of the parent. */
export function parentChain({ above }: Chain): Chain {
  const [target, ...rest] = above;
  if (!target) throw new Error('nothing is above a metastore');
  return { target, above: rest };
}

/** Number of parts in the full names of a type. */
const LENGTHS: Readonly<Partial<Record<SecurableType, number>>> = {
  schema: 2,
  table: 3,
  volume: 3,
  function: 3,
  registered_model: 3,
};

const CONTAINERS: readonly SecurableType[] = ['catalog', 'schema'];

export interface FindOptions {
  /** In a transaction: the lock on the securable itself. Its ancestors are locked against removal. */
  readonly lock?: ReadLock;
}

/** Finds a securable by its full name, without checking the caller's access. */
export async function findChain(
  reader: Reader,
  metastore: Securable,
  kind: SecurableType,
  fullName: string,
  { lock = 'none' }: FindOptions = {},
): Promise<Chain> {
  if (kind === 'metastore') return { target: metastore, above: [] };
  const parts = partsOf(kind, fullName, LENGTHS[kind] ?? 1);
  let chain: Chain = { target: metastore, above: [] };
  for (const [index, name] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const type = isLast ? kind : (CONTAINERS[index] as SecurableType);
    const key = securableKey(chain.target.id, type, name);
    await refreshMirrors(reader, [chain.target, ...chain.above], type, name);
    // Locked, so that no ancestor is removed while something is created below it.
    const found = await reader.get(securables, key, isLast || lock === 'none' ? lock : 'share');
    if (!found || !isOfType(found.value, type)) throw doesNotExist(type, parts.slice(0, index + 1).join('.'));
    chain = below(chain, found.value);
  }
  return chain;
}

/** The same for a kind, which may cover only some securables of its type. */
export async function findOfKind(
  reader: Reader,
  metastore: Securable,
  { type, includes }: { readonly type: SecurableType; includes?(securable: Securable): boolean },
  fullName: string,
  options: FindOptions = {},
): Promise<Chain> {
  const chain = await findChain(reader, metastore, type, fullName, options);
  if (includes && !includes(chain.target)) throw doesNotExist(type, fullName);
  return chain;
}

/** Functions and models share their names. The type `function` means both in grants; `findGrantable` handles that. */
const isOfType = ({ kind }: Securable, type: SecurableType): boolean => kind === type;

/** Finds a securable by its id, with its ancestors. Returns undefined if the securable or an ancestor is gone. */
export async function chainById(reader: Reader, id: string): Promise<Chain | undefined> {
  const found = await byId(reader, id);
  if (!found) return undefined;
  const above: Securable[] = [];
  let lowest = found;
  while (lowest.kind !== 'metastore') {
    const next = await byId(reader, lowest.parent);
    if (!next) return undefined;
    above.push(next);
    lowest = next;
  }
  return { target: found, above };
}

export async function byId(reader: Reader, id: string): Promise<Securable | undefined> {
  const { items } = await reader.query(securables, { filter: eq('id', id), limit: 1 });
  return items[0]?.value;
}

export const noMetastore = (workspace: string) =>
  catalogErrors.METASTORE_DOES_NOT_EXIST({
    reason: `No metastore assigned for the current workspace (${workspace}).`,
  });
