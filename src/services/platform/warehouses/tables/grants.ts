import { manages, requireReachable, requireVisible } from '../../catalog/core/access.ts';
import { type Chain, fullNameOf, parentChain } from '../../catalog/core/chain.ts';
import { metastoreIn } from '../../catalog/core/metastore.ts';
import { GRANTABLE, type Privilege, wireType } from '../../catalog/core/privileges.ts';
import type { Securable } from '../../catalog/core/securables.ts';
import { changeGrantsIn, findGrantable, grantableType } from '../../catalog/grants/change.ts';
import { granteeNamed, granteeNames } from '../../catalog/grants/grantees.ts';
import { callerIdentity } from '../../jar.ts';
import type { StatementResult } from '../sql/run-statement.ts';
import type { Grant, GrantedOn, Show } from '../sql/statement-syntax.ts';
import { type Acting, fullParts } from './find.ts';
import { textResult } from './texts.ts';
import { type Effect, NO_RESULT } from './write.ts';

/** `GRANT`, `REVOKE` and `SHOW GRANTS`. */

const COUNTS: Readonly<Record<string, 2 | 3>> = { schema: 2, table: 3, volume: 3, function: 3 };

/** The full name of the object of a privilege. */
function nameOn({ session }: Acting, { type, name }: GrantedOn, metastore: Securable): string {
  if (type === 'metastore') return metastore.id;
  return fullParts(name, session, COUNTS[type] ?? 1).join('.');
}

export async function grant(acting: Acting, { privileges, on, principal, revokes }: Grant): Promise<Effect> {
  const metastore = await metastoreIn(acting);
  const named = { type: on.type, name: nameOn(acting, on, metastore) };
  const body = { changes: [{ principal, [revokes ? 'remove' : 'add']: privileges }] };
  return {
    result: NO_RESULT,
    apply: async (tx) => {
      await changeGrantsIn(tx, { ...acting, body }, metastore, named);
    },
  };
}

/** The grants on an object, including those on its parents. Users who do not manage the object see only their own. */
export async function showGrants(acting: Acting, { on, principal }: Show): Promise<StatementResult> {
  const metastore = await metastoreIn(acting);
  const { store } = acting.jar;
  const type = grantableType(on?.type ?? 'metastore');
  const name = on ? nameOn(acting, on, metastore) : metastore.id;
  const chain = await findGrantable(store, metastore, type, name);
  if (chain.target.kind !== 'metastore') requireVisible(acting, chain);
  requireReachable(acting, chain);
  const standing = callerIdentity(acting);
  const only = principal === undefined ? undefined : await granteeNamed(store, acting, chain, principal);
  const isManager = manages(standing, chain);
  const isShown = (id: string): boolean =>
    (only === undefined || id === only) && (isManager || standing.ids.includes(id));
  const found = grantsOn(chain).filter(({ id }) => isShown(id));
  const names = await granteeNames(acting, chain, [...new Set(found.map(({ id }) => id))]);
  const rows = found.flatMap(({ id, privilege, at }) => {
    const who = names.get(id);
    return who === undefined ? [] : [[who, privilege.replaceAll('_', ' '), wireType(at.target.kind), fullNameOf(at)]];
  });
  rows.sort((one, other) => (one.join('\n') < other.join('\n') ? -1 : 1));
  return textResult(['Principal', 'ActionType', 'ObjectType', 'ObjectKey'], rows);
}

interface Held {
  readonly id: string;
  readonly privilege: Privilege;
  /** The object on which it was granted. */
  readonly at: Chain;
}

function grantsOn(chain: Chain): readonly Held[] {
  const applicable: ReadonlySet<Privilege> = new Set(GRANTABLE[chain.target.kind]);
  const found: Held[] = [];
  for (let at: Chain | undefined = chain; at; at = at.above.length > 0 ? parentChain(at) : undefined) {
    const here: Chain = at;
    for (const { principal: id, privileges } of here.target.grants ?? [])
      for (const privilege of privileges) if (applicable.has(privilege)) found.push({ id, privilege, at: here });
  }
  return found;
}
