import { rowOf } from '../../limits/declared.ts';
import type { Taken } from '../../limits/take.ts';
import { type Chain, fullNameOf } from './chain.ts';
import type { SecurableKind } from './kind.ts';
import { TITLES } from './privileges.ts';
import type { Securable } from './securables.ts';

/** Counts use ids, so that they survive renames: the id of the metastore, and of the parent. */
const scopeOf = (
  row: SecurableKind['limits'][number],
  { metastore, parent }: Pick<Securable, 'metastore' | 'parent'>,
) => (rowOf(row).parts.length > 1 ? [metastore, parent] : [metastore]);

export const countsOf = (kind: SecurableKind, securable: Pick<Securable, 'metastore' | 'parent'>) =>
  kind.limits.map((row) => ({ row, scope: scopeOf(row, securable) }));

/** The counts of a new securable, with the catalog's wording for the error. */
export const takenBy = (kind: SecurableKind, above: Chain): readonly Taken[] =>
  countsOf(kind, { metastore: above.target.metastore, parent: above.target.id }).map((count) => ({
    ...count,
    message: (maximum) => {
      const isOfMetastore = rowOf(count.row).parts.length === 1;
      const parent = isOfMetastore
        ? `Metastore ${above.target.metastore}`
        : `${TITLES[above.target.kind]} ${fullNameOf(above)}`;
      return `Cannot create 1 ${TITLES[kind.type]}(s) in ${parent} (limit: ${maximum})`;
    },
  }));
