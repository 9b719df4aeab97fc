import { ok } from '../../../../kernel/http/index.ts';
import { uuid } from '../../../../kernel/ids/index.ts';
import type { Limit } from '../../../../kernel/limits/index.ts';
import { eq, type Reader, type Tx } from '../../../../kernel/store/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { nameOf } from '../../access/standing.ts';
import { completeFields, type FieldRules, readFields } from '../../engine/fields.ts';
import { pageSize, readPage } from '../../engine/paging.ts';
import { errors } from '../../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { namedOwnScope, ownScope } from '../own-scope.ts';
import { SHOWN_ROWS } from '../shown-rows.ts';
import { type LimitIncrease, limitIncreases, subjectOf } from './collections.ts';

/** Requests for higher limits, which on the real service are handled by the account team. An operator decides through the control API. */

const FIELDS: FieldRules = {
  limit: { type: 'string', required: true, most: 200 },
  requested: { type: 'integer', required: true, least: 1 },
  reason: { type: 'string', required: true, least: 1, most: 2000 },
};

const refused = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/** A limit that the caller may ask to raise, named with or without `platform.`. */
function raisable(call: PlatformCall, asked: string): Limit {
  const row = SHOWN_ROWS.find(({ name }) => name === asked || name === `platform.${asked}`);
  const limit = row && call.jar.limits.table.get(row.name)?.limit;
  if (!limit) throw refused(`There is no limit '${asked}'; GET /api/2.0/platform/limits lists them.`);
  const { name } = limit;
  if (row.fixed) throw refused(`The limit '${name}' is fixed and cannot be raised.`);
  if (call.jar.limits.overrides.of(limit, ownScope(call, limit)).mode === 'unlimited')
    throw refused(`The limit '${name}' is unlimited until it is set, so it cannot be raised.`);
  const { account } = namedOwnScope(call, limit);
  const { isAccountAdmin, principal } = callerIdentity(call);
  if (account !== undefined && !isAccountAdmin)
    throw errors.PERMISSION_DENIED__NotAccountAdmin({ user: nameOf(principal), account });
  return limit;
}

const createIncrease = routeCode([], {
  async handle(call) {
    const said = completeFields(FIELDS, readFields(FIELDS, call.body ?? {}));
    const [asked, requested, reason] = [String(said.limit), Number(said.requested), String(said.reason)];
    const limit = raisable(call, asked);
    const current = call.jar.limits.overrides.of(limit, ownScope(call, limit)).maximum;
    if (requested <= current)
      throw refused(`The field 'requested' must be more than ${current}, the effective value of '${limit.name}'.`);
    const increase: LimitIncrease = {
      id: uuid(),
      accountId: accountIn(call).id,
      workspaceId: workspaceIn(call).id,
      limit: limit.name,
      scope: namedOwnScope(call, limit),
      current,
      requested,
      reason,
      state: 'PENDING',
      requestedBy: nameOf(callerIdentity(call).principal),
      requestedAt: call.jar.clock.now(),
    };
    await call.jar.store.transact(async (tx) => {
      const subject = subjectOf(increase);
      await tx.lock(`${limitIncreases.name}:${subject}`);
      const { items } = await tx.query(limitIncreases, { filter: eq('pending', subject), limit: 1 });
      const pending = items[0]?.value;
      if (pending)
        throw errors.RESOURCE_ALREADY_EXISTS({ reason: `The request ${pending.id} for '${limit.name}' is pending.` });
      await saveIncrease(tx, increase, 'create', increase.requestedAt);
    });
    return ok(increaseView(increase));
  },
});

/** The requests of the workspace; administrators of the account see those of all its workspaces. */
const listIncreases = routeCode([], {
  async handle(call) {
    const { isAccountAdmin } = callerIdentity(call);
    const filter = isAccountAdmin ? eq('account', accountIn(call).id) : eq('workspace', workspaceIn(call).id);
    const { items, next } = await readPage(call, {
      collection: limitIncreases,
      query: { filter, order: [{ field: 'requestedAt', descending: true }] },
      size: pageSize(call.query),
    });
    const found = items.map(({ value }) => increaseView(value));
    return ok({ limit_increases: found, ...(next !== undefined && { next_page_token: next }) });
  },
});

const getIncrease = routeCode(['id'], {
  handle: async (call) => ok(increaseView(await find(call, call.jar.store, call.params.id))),
});

const withdrawIncrease = routeCode(['id'], {
  async handle(call) {
    await call.jar.store.transact(async (tx) => {
      const increase = await find(call, tx, call.params.id);
      if (increase.state !== 'PENDING')
        throw errors.INVALID_STATE({ reason: `The request ${increase.id} is ${increase.state}, not pending.` });
      const decidedAt = call.jar.clock.now();
      await saveIncrease(tx, { ...increase, state: 'WITHDRAWN', decidedAt }, 'withdraw', decidedAt);
    });
    return ok({});
  },
});

async function find(call: PlatformCall, reader: Reader, id: string): Promise<LimitIncrease> {
  const found = (await reader.get(limitIncreases, id))?.value;
  const isVisible =
    found?.accountId === accountIn(call).id &&
    (callerIdentity(call).isAccountAdmin || found.workspaceId === workspaceIn(call).id);
  if (!found || !isVisible)
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Limit increase ${id.slice(0, 200)} does not exist.` });
  return found;
}

export async function saveIncrease(tx: Tx, increase: LimitIncrease, kind: string, at: number): Promise<void> {
  const { id, accountId, limit, state } = increase;
  await tx.put(limitIncreases, id, increase);
  await tx.change({
    source: 'platform',
    kind,
    subject: `/${accountId}/limit-increases/${id}`,
    outcome: 'Succeeded',
    at,
    data: { id, limit, state },
  });
}

export const increaseView = (increase: LimitIncrease) => {
  const { id, limit, scope, current, requested, reason, state, requestedBy, requestedAt } = increase;
  const { decidedAt, granted, refusal } = increase;
  return {
    id,
    limit,
    scope,
    current,
    requested,
    reason,
    state,
    requested_by: requestedBy,
    create_time: isoTime(requestedAt),
    ...(decidedAt !== undefined && { decide_time: isoTime(decidedAt) }),
    ...(granted !== undefined && { granted }),
    ...(refusal !== undefined && { refusal }),
  };
};

const PATH = '/platform/limit-increases';
const head = (operation: string, summary: string) =>
  ({ operation: `limitIncreases_${operation}`, summary: `Limit increases: ${summary}`, needs: 'admin' }) as const;

export const INCREASE_OPERATIONS: readonly Operation[] = [
  { ...head('create', 'request a higher limit'), method: 'POST', path: PATH, code: createIncrease },
  { ...head('list', 'list them'), method: 'GET', path: PATH, code: listIncreases },
  { ...head('get', 'read one'), method: 'GET', path: `${PATH}/{id}`, code: getIncrease },
  { ...head('withdraw', 'withdraw one'), method: 'DELETE', path: `${PATH}/{id}`, code: withdrawIncrease },
];
