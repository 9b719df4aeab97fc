import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import { freeCount, takeCount } from '../limits/take.ts';
import type { Operation } from '../operation.ts';
import { rangeOf } from './addresses.ts';
import { type IpAccessList, ipAccessLists, ipListKey } from './collections.ts';
import { lockLists, rebuildGuard } from './guard.ts';

/** IP access lists, with the same operations for a workspace and for an account. */

const LONGEST_LABEL = 255;

interface Place {
  readonly row: 'ip-access-workspace' | 'ip-access-account';
  readonly scope: string;
}

const placeOf = (call: PlatformCall): Place =>
  call.route.traits?.scope === 'account'
    ? { row: 'ip-access-account', scope: accountIn(call).id }
    : { row: 'ip-access-workspace', scope: workspaceIn(call).id };

type Drawn = Pick<IpAccessList, 'label' | 'type' | 'addresses' | 'enabled'>;

function readList(body: unknown): Partial<Drawn> {
  const sent = new Sent(body);
  const label = sent.text('label');
  if (label === '' || (label !== undefined && label.length > LONGEST_LABEL))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The label must have from 1 to ${LONGEST_LABEL} characters.` });
  const type = sent.word('list_type', ['ALLOW', 'BLOCK']);
  const addresses = sent.texts('ip_addresses');
  const bad = addresses?.find((address) => rangeOf(address) === undefined);
  if (bad !== undefined) {
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `'${bad.slice(0, 100)}' in 'ip_addresses' is neither an IPv4 address nor a network in CIDR notation.`,
    });
  }
  const enabled = sent.flag('enabled');
  return {
    ...(label !== undefined && { label }),
    ...(type && { type }),
    ...(addresses && { addresses }),
    ...(enabled !== undefined && { enabled }),
  };
}

function needed<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field });
  return value;
}

const viewOf = ({ id, label, type, addresses, enabled, ...it }: IpAccessList) => ({
  list_id: id,
  label,
  list_type: type,
  ip_addresses: addresses,
  address_count: addresses.length,
  enabled,
  created_at: it.createdAt,
  created_by: Number(it.createdBy),
  updated_at: it.updatedAt,
  updated_by: Number(it.updatedBy),
});

const notFound = (id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `IP access list ${id.slice(0, 100)} does not exist.` });

async function found(reader: Pick<Tx, 'get'>, { scope }: Place, id: string): Promise<IpAccessList> {
  const list = (await reader.get(ipAccessLists, ipListKey(scope, id.toLowerCase())))?.value;
  if (!list) throw notFound(id);
  return list;
}

async function createList(call: PlatformCall): Promise<IpAccessList> {
  const { jar } = call;
  const { label, type, addresses = [], enabled = true } = readList(call.body);
  const drawn: Drawn = { label: needed(label, 'label'), type: needed(type, 'list_type'), addresses, enabled };
  const place = placeOf(call);
  const { scope } = place;
  const by = callerIdentity(call).principal.id;
  return jar.store.transact(async (tx) => {
    await lockLists(tx, scope);
    const now = jar.clock.now();
    const list = { scope, id: uuid(), ...drawn, createdAt: now, createdBy: by, updatedAt: now, updatedBy: by };
    await recount(tx, call, place, addresses.length);
    await put(tx, call, 'create', list);
    return list;
  });
}

/** `replaces`: fields that the request lacks are removed; otherwise they stay. */
async function changeList(call: PlatformCall, id: string, replaces: boolean): Promise<IpAccessList> {
  const { jar } = call;
  const said = readList(call.body);
  if (replaces) for (const [field, value] of fieldsOf(said)) needed(value, field);
  const place = placeOf(call);
  return jar.store.transact(async (tx) => {
    await lockLists(tx, place.scope);
    const before = await found(tx, place, id);
    const kept = replaces ? { ...before, addresses: [] } : before;
    const list = { ...kept, ...said, updatedAt: jar.clock.now(), updatedBy: callerIdentity(call).principal.id };
    await recount(tx, call, place, list.addresses.length - before.addresses.length);
    await put(tx, call, 'update', list);
    return list;
  });
}

const fieldsOf = ({ label, type, enabled }: Partial<Drawn>): readonly (readonly [string, unknown])[] => [
  ['label', label],
  ['list_type', type],
  ['enabled', enabled],
];

async function recount(tx: Tx, { jar }: PlatformCall, { row, scope }: Place, more: number): Promise<void> {
  if (more < 0) await freeCount(tx, jar, { row, scope: [scope], count: -more });
  if (more > 0) await takeCount(tx, jar, { row, scope: [scope], count: more });
}

async function put(tx: Tx, call: PlatformCall, kind: string, list: IpAccessList): Promise<void> {
  await tx.put(ipAccessLists, ipListKey(list.scope, list.id), list);
  await rebuildGuard(tx, call, list.scope);
  await record(tx, call, kind, list);
}

async function deleteList(call: PlatformCall, id: string): Promise<void> {
  const { jar } = call;
  const place = placeOf(call);
  await jar.store.transact(async (tx) => {
    await lockLists(tx, place.scope);
    const list = await found(tx, place, id);
    await tx.delete(ipAccessLists, ipListKey(list.scope, list.id));
    await recount(tx, call, place, -list.addresses.length);
    await rebuildGuard(tx, call, place.scope);
    await record(tx, call, 'delete', list);
  });
}

const record = (tx: Tx, { jar }: PlatformCall, kind: string, { scope, id, type }: IpAccessList): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${scope}/ip-access-lists/${id}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { id, type },
  });

async function listLists(call: PlatformCall): Promise<readonly object[]> {
  const lists = await readAll(call.jar.store, ipAccessLists, {
    filter: eq('scope', placeOf(call).scope),
    order: [{ field: 'createdAt' }],
  });
  return lists.map(({ value }) => viewOf(value));
}

function operations(prefix: string, name: string, of: string): readonly Operation[] {
  const needs = prefix === '' ? 'admin' : 'accountAdmin';
  const path = `${prefix}/ip-access-lists`;
  const one = `${path}/{list_id}`;
  const row = (verb: string, summary: string) => ({
    needs: needs as Operation['needs'],
    operation: `${name}_${verb}`,
    summary: `${of}: ${summary}`,
  });
  return [
    {
      method: 'POST',
      path,
      ...row('create', 'create one'),
      code: routeCode([], { handle: async (call) => ok({ ip_access_list: viewOf(await createList(call)) }) }),
    },
    {
      method: 'GET',
      path,
      ...row('list', 'list them'),
      code: routeCode([], { handle: async (call) => ok({ ip_access_lists: await listLists(call) }) }),
    },
    {
      method: 'GET',
      path: one,
      ...row('get', 'read one'),
      code: routeCode(['list_id'], {
        async handle(call) {
          return ok({ ip_access_list: viewOf(await found(call.jar.store, placeOf(call), call.params.list_id)) });
        },
      }),
    },
    {
      method: 'PUT',
      path: one,
      ...row('replace', 'replace one'),
      code: routeCode(['list_id'], {
        async handle(call) {
          return ok({ ip_access_list: viewOf(await changeList(call, call.params.list_id, true)) });
        },
      }),
    },
    {
      method: 'PATCH',
      path: one,
      ...row('update', 'change one'),
      code: routeCode(['list_id'], {
        async handle(call) {
          return ok({ ip_access_list: viewOf(await changeList(call, call.params.list_id, false)) });
        },
      }),
    },
    {
      method: 'DELETE',
      path: one,
      ...row('delete', 'delete one'),
      code: routeCode(['list_id'], {
        async handle(call) {
          await deleteList(call, call.params.list_id);
          return ok({});
        },
      }),
    },
  ];
}

export const IP_ACCESS_OPERATIONS: readonly Operation[] = [
  ...operations('', 'ipAccessLists', 'IP access lists of the workspace'),
  ...operations('/accounts/{account_id}', 'accountIpAccessLists', 'IP access lists of the account'),
];
