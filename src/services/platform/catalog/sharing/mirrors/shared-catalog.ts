import type { Reader } from '../../../../../kernel/store/index.ts';
import { eq } from '../../../../../kernel/store/index.ts';
import { membersOf, textOf } from '../../../engine/json.ts';
import { type Securable, securables } from '../../core/securables.ts';

/** Catalogs of shares: what is in them is what a provider shares now. */

/** By ids, so that renames at the provider change nothing. */
export interface SharedFrom {
  readonly provider: string;
  readonly share: string;
  /** Whom the provider knows the catalog's metastore as. */
  readonly recipient: string;
}

/** What a catalog is of; undefined for one that is not of a share. */
export function sharedFrom({ kind, extra }: Pick<Securable, 'kind' | 'extra'>): SharedFrom | undefined {
  if (kind !== 'catalog' || extra?.shared === undefined) return undefined;
  const { provider, share, recipient } = membersOf(extra.shared);
  return { provider: textOf(provider) ?? '', share: textOf(share) ?? '', recipient: textOf(recipient) ?? '' };
}

/** The share that a catalog is of, as long as the provider shares it with this metastore. */
export async function shareBehind(reader: Reader, catalog: Securable): Promise<Securable | undefined> {
  const from = sharedFrom(catalog);
  if (!from) return undefined;
  const [provider, share, recipient] = [
    await named(reader, from.provider),
    await named(reader, from.share),
    await named(reader, from.recipient),
  ];
  const isGiven = share?.grants?.some(
    ({ principal, privileges }) => principal === from.recipient && privileges.includes('SELECT'),
  );
  return provider && recipient && isGiven ? share : undefined;
}

const IDS_AT_ONCE = 200;

/** Those of these ids that exist. */
export async function namedAll(
  reader: Reader,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, Securable>> {
  const wanted = [...new Set(ids.filter((id) => id !== undefined))];
  const found = new Map<string, Securable>();
  for (let from = 0; from < wanted.length; from += IDS_AT_ONCE) {
    const values = wanted.slice(from, from + IDS_AT_ONCE);
    const filter = { op: 'in', field: 'id', values } as const;
    const { items } = await reader.query(securables, { filter, limit: values.length });
    for (const { value } of items) found.set(value.id, value);
  }
  return found;
}

/** A securable by its id. Apart from `core/chain.ts`, which looks for what is shared while it follows names. */
export async function named(reader: Reader, id: string): Promise<Securable | undefined> {
  return (await reader.query(securables, { filter: eq('id', id), limit: 1 })).items[0]?.value;
}
