import { expect, it } from 'vitest';
import { ok, routesFor } from '../../../../src/kernel/http/route.ts';
import type { Call } from '../../../../src/kernel/service/routes.ts';
import { DeadlinePassed, openSession } from '../../../../src/services/business/api/session.ts';
import type { BusinessJar } from '../../../../src/services/business/jar.ts';
import { companyById } from '../../../../src/services/business/records/companies.ts';
import { withinTime } from '../../../../src/services/business/throttle/deadline.ts';
import { actorOf } from '../../../../src/services/business/users/permissions.ts';
import { withJar } from '../benches.ts';
import { withFurtherApi } from '../further-api.ts';

/** A call received at time 0, with a clock that the test sets. */
function callAt(now: number, method: Call['method'] = 'POST') {
  const clock = { time: now, now: () => clock.time };
  const call = { method, receivedAt: 0, jar: { clock, config: { services: {} } } } as unknown as Call;
  return { call, clock };
}

const MINUTE = 60_000;

it('work may commit until the earlier of both limits', async () => {
  const deadlines: number[] = [];
  for (const now of [0, MINUTE, 5 * MINUTE]) {
    await withinTime(callAt(now).call, async (deadline) => {
      deadlines.push(deadline / MINUTE);
      return ok({});
    });
  }
  expect(deadlines).toEqual([8, 9, 10]);
});

it.each([
  [0, 8, 408],
  [1, 9, 408],
  [5, 10, 504],
  [0, 11, 504],
])('work that began in minute %i and is cut off in minute %i is answered %i', async (began, ended, status) => {
  const { call, clock } = callAt(began * MINUTE);
  const work = async (): Promise<never> => {
    clock.time = ended * MINUTE;
    throw new DeadlinePassed();
  };
  await expect(withinTime(call, work)).rejects.toMatchObject({ status });
});

it('a request that is too late is not started', async () => {
  const work = () => expect.unreachable();
  await expect(withinTime(callAt(10 * MINUTE).call, work)).rejects.toMatchObject({ status: 504 });
});

it('a commit in time is answered, but a read that ended too late is not', async () => {
  const late = (method: Call['method']) => {
    const { call, clock } = callAt(0, method);
    return withinTime(call, async () => {
      clock.time = 9 * MINUTE;
      return ok({});
    });
  };
  expect((await late('PATCH')).status).toBe(200);
  await expect(late('GET')).rejects.toMatchObject({ status: 408 });
});

const { route } = routesFor<BusinessJar>();

const LATE = route({
  method: 'POST',
  path: '/late/{company}',
  operation: 'Late_write',
  summary: 'Writes an item and finds its time over',
  handle: (call) =>
    withinTime(call, async () => {
      const { jar, requestId, correlationId, receivedAt: now } = call;
      const actor = await actorOf(call);
      const { tenantId } = actor;
      const { model } = jar;
      const api = model.apis[0] as (typeof model.apis)[0];
      const company = await companyById(jar.store, model, tenantId, call.params.company);
      if (!company) throw new Error('no company');
      const session = openSession({
        jar,
        model,
        api,
        tenantId,
        actor,
        isReader: false,
        now,
        base: '',
        requestId,
        correlationId,
        deadline: now,
      });
      await session.write(company, (books) => books.insert('item', { displayName: 'Too late' }));
      return ok({});
    }),
});

withJar(
  (bench) => {
    it('a write whose time is over at its end leaves nothing', async () => {
      const { body } = await bench.call('GET', '/api/v2.0/companies');
      const { id } = body.value[0];
      const items = `/api/v2.0/companies(${id})/items?$filter=displayName eq 'Too late'`;
      expect(await bench.call('POST', `/late/${id}`)).toMatchObject({
        status: 408,
        body: { error: { code: 'RequestTimeout' } },
      });
      expect((await bench.call('GET', items)).body.value).toEqual([]);
    });
  },
  { services: withFurtherApi('late', [LATE]) },
);
