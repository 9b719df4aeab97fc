import { uuid } from '../../../../kernel/ids/index.ts';
import { eq, type Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { findByLogin } from '../../access/find-principal.ts';
import { completeFields, type FieldRules, readFields } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import { type Actor, accountIn, callerIdentity } from '../../jar.ts';
import { takeCounts } from '../../limits/take.ts';
import { sharedFrom } from '../sharing/mirrors/shared-catalog.ts';
import { isMetastoreAdmin, manages, requireManager, requirePrivilege, requireReachable } from './access.ts';
import { below, type Chain, findChain, findOfKind, fullNameOf, metastoreOf, parentChain } from './chain.ts';
import { takenBy } from './counts.ts';
import { alreadyExists, catalogErrors, notEmpty } from './errors.ts';
import type { SecurableKind } from './kind.ts';
import { metastoreIn, metastoreNow } from './metastore.ts';
import { checkName } from './names.ts';
import type { Privilege } from './privileges.ts';
import { removeSecurable } from './removal.ts';
import { isSystems, keyOf, listOf, type Securable, SYSTEM_USER, securables } from './securables.ts';

export interface Creation {
  readonly name: string;
  /** The full name of the parent; not used if the parent is the metastore. */
  readonly above?: string;
  readonly sent: unknown;
  /** Data that the kind's own code stores with it. */
  readonly extra?: JsonMembers;
}

/** Creates a securable, owned by the caller. `known` is the metastore if it is not that of the call's workspace. */
export async function createSecurable(
  call: Actor,
  kind: SecurableKind,
  creation: Creation,
  known?: Securable,
): Promise<Chain> {
  const metastore = known ?? (await metastoreIn(call));
  return call.jar.store.transact(async (tx) => {
    const above = await findChain(tx, await metastoreNow(tx, metastore), kind.above, creation.above ?? '', {
      lock: 'share',
    });
    return createBelow(tx, call, kind, above, creation);
  });
}

/** The same in a transaction that has already found the parent. */
export async function createBelow(
  tx: Tx,
  call: Actor,
  kind: SecurableKind,
  above: Chain,
  { name: asked, sent, extra }: Creation,
): Promise<Chain> {
  requireReachable(call, above, { writes: true });
  refuseShared(above);
  refuseSystem(above);
  // The caller's privilege is checked before the body is validated, unless the required privilege depends on the body.
  if (typeof kind.creates === 'string') requirePrivilege(call, above, kind.creates);
  const said = completeFields(kind.fields, readFields(kind.fields, sent));
  requirePrivilege(call, above, ...neededFor(kind, said));
  const name = checkName(kind.type, asked);
  const added = await kind.hooks?.check?.(tx, call, { name, above, fields: said, ...(extra && { extra }) }, undefined);
  const now = call.jar.clock.now();
  const { id: creator } = callerIdentity(call).principal;
  const kept = { ...extra, ...added?.extra };
  const securable: Securable = {
    kind: kind.type,
    accountId: above.target.accountId,
    metastore: above.target.metastore,
    id: uuid(),
    parent: above.target.id,
    name,
    owner: creator,
    createdAt: now,
    createdBy: creator,
    updatedAt: now,
    updatedBy: creator,
    fields: { ...said, ...added?.fields },
    ...(Object.keys(kept).length > 0 && { extra: kept }),
    ...(added?.bindings && { bindings: added.bindings }),
    ...(added?.uses && { uses: added.uses }),
  };
  const chain = below(above, securable);
  await refuseTaken(tx, chain);
  await takeCounts(tx, call.jar, takenBy(kind, above));
  await tx.put(securables, keyOf(securable), securable);
  await kind.hooks?.created?.(tx, call, chain);
  await record(tx, call, 'create', chain);
  return chain;
}

/** The privileges on the parent, any of which is enough to create one. */
function neededFor({ creates }: SecurableKind, fields: JsonMembers): readonly Privilege[] {
  const needed = typeof creates === 'string' ? creates : creates(fields);
  return typeof needed === 'string' ? [needed] : needed;
}

async function refuseTaken(tx: Tx, chain: Chain): Promise<void> {
  const key = keyOf(chain.target);
  await tx.lock(`platform.securable:${key}`);
  if (await tx.get(securables, key, 'none')) throw alreadyExists(chain.target.kind, fullNameOf(chain));
}

/** Applies a change: permitted fields, a new name, another owner. */
export async function changeSecurable(
  call: Actor,
  kind: SecurableKind,
  fullName: string,
  sent: unknown,
  known?: Securable,
): Promise<Chain> {
  const metastore = known ?? (await metastoreIn(call));
  return call.jar.store.transact(async (tx) => {
    const found = await findOfKind(tx, await metastoreNow(tx, metastore), kind, fullName, { lock: 'update' });
    return changeFound(tx, call, kind, found, sent);
  });
}

const HANDED: FieldRules = { owner: { type: 'string', most: 255 }, new_name: { type: 'string', most: 1000 } };

export async function changeFound(
  tx: Tx,
  call: Actor,
  kind: SecurableKind,
  found: Chain,
  sent: unknown,
): Promise<Chain> {
  requireManager(call, found);
  requireReachable(call, found, { writes: true });
  refuseSystem(found);
  const rules = Object.fromEntries(
    kind.changes.map((name) => [name, kind.fields[name] ?? { type: 'any' }]),
  ) as FieldRules;
  const said = readFields(rules, sent ?? {});
  const { owner, new_name: newName } = readFields(HANDED, sent ?? {});
  const before = found.target;
  const name =
    kind.renames && typeof newName === 'string' && newName !== '' ? checkName(kind.type, newName) : before.name;
  const fields = { ...before.fields, ...said };
  const draft = { name, above: parentChain(found), fields, ...(before.extra && { extra: before.extra }) };
  const added = await kind.hooks?.check?.(tx, call, draft, before);
  const extra = { ...before.extra, ...added?.extra };
  const { bindings: boundBefore, ...rest } = before;
  const bindings = added?.bindings === undefined ? boundBefore : added.bindings;
  const after: Securable = {
    ...rest,
    ...(bindings && { bindings }),
    ...(added?.uses && { uses: added.uses }),
    name,
    ...(typeof owner === 'string' && { owner: await newOwner(tx, call, found, owner) }),
    updatedAt: call.jar.clock.now(),
    updatedBy: callerIdentity(call).principal.id,
    fields: { ...fields, ...added?.fields },
    ...(Object.keys(extra).length > 0 && { extra }),
  };
  const chain: Chain = { target: after, above: found.above };
  if (name !== before.name) {
    // A rename creates the new name in the parent.
    if (!isMetastoreAdmin(callerIdentity(call), metastoreOf(chain)))
      requirePrivilege(call, parentChain(chain), ...neededFor(kind, fields));
    await refuseTaken(tx, chain);
    await tx.delete(securables, keyOf(before));
  }
  await tx.put(securables, keyOf(after), after);
  await kind.hooks?.changed?.(tx, call, chain, before);
  await record(tx, call, 'update', chain);
  return chain;
}

/** The id of the principal that a change names as owner. For metastores an empty name means the platform itself. */
async function newOwner(tx: Tx, call: Actor, chain: Chain, name: string): Promise<string> {
  if (name === '') {
    if (chain.target.kind === 'metastore') return SYSTEM_USER;
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The field 'owner' must not be empty." });
  }
  return principalNamed(tx, call, name);
}

/** The id of a user by user name, a group by name, or a service principal by application id. */
export async function principalNamed(tx: Pick<Tx, 'query'>, call: Pick<Actor, 'facts'>, name: string): Promise<string> {
  const place = call.facts.workspace ?? { id: '', accountId: accountIn(call).id };
  const found = await findByLogin(tx, place, ['user', 'group', 'servicePrincipal'], name);
  if (!found) throw catalogErrors.PRINCIPAL_DOES_NOT_EXIST({ name: name.slice(0, 200) });
  return found.id;
}

/** Deletes a securable. If it has children, this fails unless `force` is set, which removes them as well. */
export async function deleteSecurable(
  call: Actor,
  kind: SecurableKind,
  fullName: string,
  { force = false } = {},
  known?: Securable,
): Promise<Chain> {
  const metastore = known ?? (await metastoreIn(call));
  return call.jar.store.transact(async (tx) => {
    const found = await findOfKind(tx, await metastoreNow(tx, metastore), kind, fullName, { lock: 'update' });
    await deleteFound(tx, call, kind, found, { force });
    return found;
  });
}

/** The same in a transaction that has already read it with the lock `update`. */
export async function deleteFound(
  tx: Tx,
  call: Actor,
  kind: SecurableKind,
  found: Chain,
  { force = false } = {},
): Promise<void> {
  requireManager(call, found);
  requireReachable(call, found, { writes: true });
  refuseSystem(found);
  if (!force) await refuseContent(tx, kind, found);
  await kind.hooks?.removing?.(tx, call, found, { force });
  await removeSecurable(tx, call.jar, kind, found.target);
  await record(tx, call, 'delete', found);
}

async function refuseContent(tx: Tx, { children = [] }: Pick<SecurableKind, 'children'>, chain: Chain): Promise<void> {
  for (const { type } of children) {
    const { items } = await tx.query(securables, { filter: eq('list', listOf(chain.target.id, type)), limit: 2 });
    const found = items.find(({ value }) => !isSystems(value));
    if (found) throw notEmpty(chain.target.kind, fullNameOf(chain), `it has the ${type} '${found.value.name}'`);
  }
}

/** Securables that the platform maintains are read-only. */
export function refuseSystem({ target, above }: Chain): void {
  for (const each of above) if (sharedFrom(each)) refuseShared({ target: each, above: [] });
  const found = [target, ...above].find(isSystems);
  if (found)
    throw errors.PERMISSION_DENIED({
      reason: `The ${found.kind} '${found.name}' belongs to the system and cannot be changed.`,
    });
}

/** A catalog of a share is read-only: its content belongs to the provider. */
export function refuseShared({ target, above }: Chain): void {
  const catalog = [target, ...above].find(sharedFrom);
  if (catalog)
    throw errors.PERMISSION_DENIED({
      reason: `The catalog '${catalog.name}' is based on a share: its content is read-only, and only the provider can change it.`,
    });
}

export const mayManage = (call: Actor, chain: Chain): boolean => manages(callerIdentity(call), chain);

/** For the audit trail and the change feed. */
export const record = (
  tx: Tx,
  { jar }: Pick<Actor, 'jar'>,
  kind: string,
  chain: Chain,
  more: JsonMembers = {},
): Promise<void> => {
  const { target } = chain;
  return tx.change({
    source: 'platform',
    kind,
    subject: `/metastores/${target.metastore}/${target.kind}/${fullNameOf(chain)}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { kind: target.kind, id: target.id, fullName: fullNameOf(chain), ...more },
  });
};
