import { Type } from 'typebox';
import { errorTable, ok, type Route, routeOf } from '../../../../kernel/http/index.ts';
import type { Limit, LimitChange } from '../../../../kernel/limits/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../../kernel/odata/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { type PlatformJar, routeCode } from '../../jar.ts';
import { INCREASE_STATES, type LimitIncrease, limitIncreases } from './collections.ts';
import { saveIncrease } from './operations.ts';

/** The operator's side of limit increase requests. */

export const increaseErrors = errorTable({
  IncreaseNotFound: [404, "There is no limit increase '{id}'; GET /_jar/platform/limit-increases lists them."],
  IncreaseDecided: [409, "The limit increase '{id}' is {state}, not PENDING."],
  InvalidIncrease: [400, "The property 'limit' must be more than {current}, the effective value of '{limit}'."],
  LimitUnknown: [409, "This jar no longer has a limit '{limit}'."],
});

const Text = { type: 'Edm.String' } as const;

const shape = entityShape<LimitIncrease>({
  name: 'limit increases',
  collection: limitIncreases,
  properties: {
    id: { ...Text, field: 'key' },
    limit: { ...Text, field: 'limit' },
    state: { ...Text, field: 'state' },
    accountId: { ...Text, field: 'account' },
    workspaceId: { ...Text, field: 'workspace' },
    requestedBy: { ...Text, field: 'requestedBy' },
    current: { type: 'Edm.Int64' },
    requested: { type: 'Edm.Int64' },
    granted: { type: 'Edm.Int64' },
    requestedAt: { type: 'Edm.DateTimeOffset', field: 'requestedAt' },
    decidedAt: { type: 'Edm.DateTimeOffset', field: 'decidedAt' },
  },
  scan: 'bounded',
});

const IncreaseView = Type.Object({
  id: Type.String(),
  limit: Type.String(),
  state: Type.Enum([...INCREASE_STATES]),
  accountId: Type.String(),
  workspaceId: Type.String(),
  scope: Type.Record(Type.String(), Type.String()),
  current: Type.Integer(),
  requested: Type.Integer(),
  granted: Type.Optional(Type.Integer()),
  reason: Type.String(),
  refusal: Type.Optional(Type.String()),
  requestedBy: Type.String(),
  requestedAt: Type.String(),
  decidedAt: Type.Optional(Type.String()),
});

const view = ({ requestedAt, decidedAt, ...rest }: LimitIncrease) => ({
  ...rest,
  requestedAt: isoTime(requestedAt),
  ...(decidedAt !== undefined && { decidedAt: isoTime(decidedAt) }),
});

const listIncreases = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(IncreaseView) },
  handle: (call) => listAnswer(call, { shape, order: [{ field: 'requestedAt' }], view: ({ value }) => view(value) }),
});

const approveIncrease = routeCode(['id'], {
  body: Type.Object(
    { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })) },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  responses: { 200: IncreaseView },
  async handle({ jar, params: { id }, body = {} }) {
    const { overrides } = jar.limits;
    const approved = await jar.store.transact(async (tx) => {
      const increase = await pending(tx, id);
      const limit = jar.limits.table.get(increase.limit)?.limit;
      if (!limit) throw increaseErrors.LimitUnknown({ limit: increase.limit });
      const granted = body.limit ?? increase.requested;
      const values = limit.scope.map((part) => increase.scope[part] ?? '');
      const current = overrides.of(limit, values).maximum;
      if (granted <= current) throw increaseErrors.InvalidIncrease({ current, limit: limit.name }, { target: 'limit' });
      // The override and the state of the request are written in one commit.
      await overrides.applyIn(tx, [changeOf(limit, increase.scope, granted)]);
      return decided(tx, jar, increase, { state: 'APPROVED', granted });
    });
    await overrides.load();
    return ok(view(approved));
  },
});

const refuseIncrease = routeCode(['id'], {
  body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 2000 }) }, { additionalProperties: false }),
  responses: { 200: IncreaseView },
  handle: async ({ jar, params: { id }, body: { reason } }) =>
    ok(
      view(
        await jar.store.transact(async (tx) =>
          decided(tx, jar, await pending(tx, id), { state: 'REFUSED', refusal: reason }),
        ),
      ),
    ),
});

async function pending(tx: Tx, id: string): Promise<LimitIncrease> {
  const found = (await tx.get(limitIncreases, id))?.value;
  if (!found) throw increaseErrors.IncreaseNotFound({ id: id.slice(0, 100) });
  if (found.state !== 'PENDING') throw increaseErrors.IncreaseDecided({ id, state: found.state });
  return found;
}

type Decision = Pick<LimitIncrease, 'state' | 'granted' | 'refusal'>;

async function decided(
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  increase: LimitIncrease,
  decision: Decision,
): Promise<LimitIncrease> {
  const after = { ...increase, ...decision, decidedAt: clock.now() };
  await saveIncrease(tx, after, after.state === 'APPROVED' ? 'approve' : 'refuse', after.decidedAt);
  return after;
}

/** The refill rate of a bucket grows in proportion to its size. */
function changeOf(limit: Limit, scope: LimitIncrease['scope'], granted: number): LimitChange {
  const whom = { name: limit.name, ...(Object.keys(scope).length > 0 && { scope }) };
  if (limit.kind !== 'bucket') return { ...whom, limit: granted };
  return { ...whom, size: granted, refillPerSecond: (granted * limit.refillPerSecond) / limit.size };
}

const PATH = '/_jar/platform/limit-increases';

export const increaseControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: PATH,
      operation: 'Jar_ListLimitIncreases',
      summary: 'Requests for higher limits of the data platform',
    },
    listIncreases,
  ),
  routeOf(
    {
      method: 'POST',
      path: `${PATH}/{id}/approve`,
      operation: 'Jar_ApproveLimitIncrease',
      summary: 'Raises the limit for the scope of the request, as requested or to another number',
    },
    approveIncrease,
  ),
  routeOf(
    {
      method: 'POST',
      path: `${PATH}/{id}/refuse`,
      operation: 'Jar_RefuseLimitIncrease',
      summary: 'Refuses a request for a higher limit',
    },
    refuseIncrease,
  ),
];
