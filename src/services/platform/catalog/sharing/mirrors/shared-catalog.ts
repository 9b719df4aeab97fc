import type { Reader } from '../../../../../kernel/store/index.ts';
import { eq } from '../../../../../kernel/store/index.ts';
import { membersOf, textOf } from '../../../engine/json.ts';
import { type Securable, securables } from '../../core/securables.ts';

/** Catalogs of shares: their content is what the provider currently shares. */

/** Ids, so that renames at the provider have no effect. */
export interface SharedFrom {
  readonly provider: string;
  readonly share: string;
  /** The recipient that represents the catalog's metastore at the provider. */
  readonly recipient: string;
}

/** The source of a catalog of a share. Returns undefined for other catalogs. */
export function sharedFrom({ kind, extra }: Pick<Securable, 'kind' | 'extra'>): SharedFrom | undefined {
  if (kind !== 'catalog' || extra?.shared === undefined) return undefined;
  const { provider, share, recipient } = membersOf(extra.shared);
  return { provider: textOf(provider) ?? '', share: textOf(share) ?? '', recipient: textOf(recipient) ?? '' };
}

/** The share behind a catalog, as long as the provider shares it with this metastore. */
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

/** The securables with these ids; missing ones are left out. */
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

/** Finds a securable by its id. Separate from `core/chain.ts`, which refreshes shared content while it resolves names. */
export async function named(reader: Reader, id: string): Promise<Securable | undefined> {
  return (await reader.query(securables, { filter: eq('id', id), limit: 1 })).items[0]?.value;
}
