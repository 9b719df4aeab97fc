import { rowOf } from '../../limits/declared.ts';
import type { Taken } from '../../limits/take.ts';
import { type Chain, fullNameOf } from './chain.ts';
import type { SecurableKind } from './kind.ts';
import { TITLES } from './privileges.ts';
import type { Securable } from './securables.ts';

/** Counts go by ids, so that they hold through renames: those of the metastore, and those of what the securable lies in. */
const scopeOf = (
  row: SecurableKind['limits'][number],
  { metastore, parent }: Pick<Securable, 'metastore' | 'parent'>,
) => (rowOf(row).parts.length > 1 ? [metastore, parent] : [metastore]);

export const countsOf = (kind: SecurableKind, securable: Pick<Securable, 'metastore' | 'parent'>) =>
  kind.limits.map((row) => ({ row, scope: scopeOf(row, securable) }));

/** What a new securable takes, with the words of the catalog for the refusal. */
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
