import { uuid } from '../../../../kernel/ids/index.ts';
import { eq, type Reader, readAll, type Tx } from '../../../../kernel/store/index.ts';
import { findByLogin } from '../../access/find-principal.ts';
import { nameOf } from '../../access/standing.ts';
import { completeFields, type FieldRules, readFields } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import { accountIn, callerIdentity, type PlatformCall } from '../../jar.ts';
import { isMetastoreAdmin } from '../core/access.ts';
import { byId } from '../core/chain.ts';
import { metastoreAssignments } from '../core/collections.ts';
import { alreadyExists, catalogErrors, doesNotExist, notEmpty } from '../core/errors.ts';
import { METASTORE_DEFAULTS } from '../core/found-metastore.ts';
import { checkName } from '../core/names.ts';
import { record } from '../core/operations.ts';
import { removeSecurable } from '../core/removal.ts';
import { isSystems, keyOf, listOf, type Securable, SYSTEM_USER, securables } from '../core/securables.ts';
import { METASTORES } from './kind.ts';

/** Metastores of an account: created by account administrators, changed by their own administrators. */

export function requireAccountAdmin(call: Pick<PlatformCall, 'facts'>): void {
  const { isAccountAdmin, principal } = callerIdentity(call);
  if (isAccountAdmin) return;
  throw errors.PERMISSION_DENIED__NotAccountAdmin({ user: nameOf(principal), account: accountIn(call).id });
}

function requireAdmin(call: PlatformCall, metastore: Securable): void {
  const standing = callerIdentity(call);
  if (standing.isAccountAdmin || isMetastoreAdmin(standing, metastore)) return;
  throw errors.PERMISSION_DENIED({
    reason: `User is not an owner of Metastore '${metastore.name}'. (user: ${nameOf(standing.principal)})`,
  });
}

/** Finds a metastore of the account that the caller administers or, with `used`, that the caller's workspace uses. */
export async function findMetastore(
  call: PlatformCall,
  id: string,
  reader: Reader = call.jar.store,
): Promise<Securable> {
  const found = await byId(reader, id);
  if (found?.kind !== 'metastore' || found.accountId !== accountIn(call).id) throw doesNotExist('metastore', id);
  requireAdmin(call, found);
  return found;
}

export async function listMetastores(call: PlatformCall): Promise<readonly Securable[]> {
  const filter = eq('list', listOf(accountIn(call).id, 'metastore'));
  const found = await readAll(call.jar.store, securables, { filter, order: [{ field: 'name' }] });
  const standing = callerIdentity(call);
  return found.map(({ value }) => value).filter((each) => standing.isAccountAdmin || isMetastoreAdmin(standing, each));
}

export async function createMetastore(call: PlatformCall, sent: unknown): Promise<Securable> {
  requireAccountAdmin(call);
  const account = accountIn(call);
  const named: FieldRules = { name: { type: 'string', required: true } };
  const { name } = completeFields(named, readFields(named, sent));
  const said = readFields(METASTORES.fields, sent);
  const now = call.jar.clock.now();
  const { id: creator } = callerIdentity(call).principal;
  const id = uuid();
  const metastore: Securable = {
    kind: 'metastore',
    accountId: account.id,
    metastore: id,
    id,
    parent: account.id,
    name: checkName('metastore', name as string),
    owner: creator,
    createdAt: now,
    createdBy: creator,
    updatedAt: now,
    updatedBy: creator,
    fields: { ...METASTORE_DEFAULTS, region: call.facts.workspace?.region ?? 'westus2', ...said },
  };
  return call.jar.store.transact(async (tx) => {
    await refuseTaken(tx, metastore);
    await tx.put(securables, keyOf(metastore), metastore);
    await record(tx, call, 'create', { target: metastore, above: [] });
    return metastore;
  });
}

async function refuseTaken(tx: Tx, metastore: Securable): Promise<void> {
  await tx.lock(`platform.securable:${keyOf(metastore)}`);
  if (await tx.get(securables, keyOf(metastore), 'none')) throw alreadyExists('metastore', metastore.name);
}

const HANDED: FieldRules = { owner: { type: 'string', most: 255 }, new_name: { type: 'string', most: 1000 } };

export async function changeMetastore(call: PlatformCall, id: string, sent: unknown): Promise<Securable> {
  const known = await findMetastore(call, id);
  const rules = Object.fromEntries(
    METASTORES.changes.map((name) => [name, METASTORES.fields[name] ?? { type: 'any' }]),
  );
  const said = readFields(rules as FieldRules, sent);
  const { owner, new_name: newName } = readFields(HANDED, sent);
  return call.jar.store.transact(async (tx) => {
    const before = (await tx.get(securables, keyOf(known)))?.value;
    if (before?.id !== id) throw doesNotExist('metastore', id);
    const after: Securable = {
      ...before,
      ...(typeof newName === 'string' && newName !== '' && { name: checkName('metastore', newName) }),
      ...(typeof owner === 'string' && { owner: await ownerNamed(tx, call, owner) }),
      updatedAt: call.jar.clock.now(),
      updatedBy: callerIdentity(call).principal.id,
      fields: { ...before.fields, ...said },
    };
    if (after.name !== before.name) {
      await refuseTaken(tx, after);
      await tx.delete(securables, keyOf(before));
    }
    await tx.put(securables, keyOf(after), after);
    await record(tx, call, 'update', { target: after, above: [] });
    return after;
  });
}

async function ownerNamed(tx: Tx, call: PlatformCall, name: string): Promise<string> {
  if (name === '' || name === SYSTEM_USER) return SYSTEM_USER;
  const place = call.facts.workspace ?? { id: '', accountId: accountIn(call).id };
  const found = await findByLogin(tx, place, ['user', 'group', 'servicePrincipal'], name);
  if (!found) throw catalogErrors.PRINCIPAL_DOES_NOT_EXIST({ name: name.slice(0, 200) });
  return found.id;
}

/** `force` removes its content as well. Workspaces that used it have no metastore afterwards. */
export async function deleteMetastore(call: PlatformCall, id: string, force: boolean): Promise<void> {
  const known = await findMetastore(call, id);
  await call.jar.store.transact(async (tx) => {
    const metastore = (await tx.get(securables, keyOf(known)))?.value;
    if (metastore?.id !== id) throw doesNotExist('metastore', id);
    if (!force) await refuseContent(tx, metastore);
    for (const { key, value } of await readAll(tx, metastoreAssignments, { filter: eq('metastore', id) }))
      await tx.put(metastoreAssignments, key, { ...value, metastore: null });
    await removeSecurable(tx, call.jar, METASTORES, metastore);
    await record(tx, call, 'delete', { target: metastore, above: [] });
  });
}

async function refuseContent(tx: Tx, metastore: Securable): Promise<void> {
  const { items } = await tx.query(securables, { filter: eq('parent', metastore.id), limit: 3 });
  const found = items.find(({ value }) => !isSystems(value));
  if (found) throw notEmpty('metastore', metastore.name, `it has the ${found.value.kind} '${found.value.name}'`);
}
