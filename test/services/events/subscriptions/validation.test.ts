import { describe, expect, it } from 'vitest';
import { type Bench, withJar } from '../../../support/jars.ts';
import { AT_GROUP, AT_SUBSCRIPTION, hook, http, makeGroup, OPTIONS, queue, VERSION } from './bench.ts';
import { WRONG } from './wrong-bodies.ts';

withJar((bench: Bench) => {
  const api = () => http(bench);

  describe('a PUT is refused with all that is wrong with it', () => {
    it.each(WRONG)('%s', async (_, properties, targets) => {
      await makeGroup(bench);
      const { status, body } = await api().put('wrong', properties);
      expect(status).toBe(400);
      expect(body.error.code).toBe('InvalidRequest');
      expect(body.error.details.map(({ target }: { target: string }) => target)).toEqual(targets);
      expect(body.error.target).toBe(targets[0]);
      for (const { code, message } of body.error.details) {
        expect(code).toBe('InvalidRequest');
        expect(message).toMatch(/^[A-Z'].{10,}\.$/s);
      }
      expect((await api().get('wrong')).status).toBe(404);
    });

    it('with at most fifty of twenty thousand', async () => {
      const { status, body } = await api().put('wrong', queue({ labels: Array.from({ length: 20_000 }, () => 1) }));
      expect(status).toBe(400);
      expect(body.error.details).toHaveLength(50);
      expect(body.error.message).toContain('19999 more');
    });

    it('where the body is no object', async () => {
      for (const body of ['[]', '"text"', '5', 'nonsense']) {
        const reply = await bench.call('PUT', api().path('wrong'), { body });
        expect([reply.status, reply.body.error.code]).toEqual([400, 'InvalidRequestContent']);
      }
    });
  });

  describe('a name has 3 to 64 letters, digits and hyphens', () => {
    it.each(['ab', 'a'.repeat(65), 'with_line', 'with.dot', 'with%20blank', 'm%C3%BCll'])('not %s', async (name) => {
      const { status, body } = await api().put(name, queue());
      expect([status, body.error.code, body.error.target]).toEqual([400, 'InvalidRequest', 'eventSubscriptionName']);
    });

    it.each(['abc', 'a'.repeat(64), 'With-Hyphen-9', 'getFullUrl', 'eventSubscriptions', 'eventTypes', '---'])(
      '%s',
      async (name) => {
        expect((await api().put(name, queue())).status).toBe(201);
        await bench.jar.settled();
        expect((await api().get(name)).body.name).toBe(name);
        expect((await api().remove(name)).status).toBe(202);
      },
    );
  });

  describe('scopes', () => {
    const at = (scope: string) => http(bench, scope).put('some', queue());

    it('need a subscription or a management group', async () => {
      for (const scope of ['', '/providers/Microsoft.Billing/billingAccounts/all']) {
        const { status, body } = await at(scope);
        expect([status, body.error.code]).toEqual([400, 'InvalidRequest']);
      }
    });

    it('are subscriptions, groups and resources', async () => {
      for (const scope of [`${AT_SUBSCRIPTION}/things`, `${AT_SUBSCRIPTION}/resourceGroups`, `${AT_GROUP}/more`]) {
        expect([(await at(scope)).status, scope]).toEqual([400, scope]);
      }
    });

    it('have to be there', async () => {
      const codes = async (scope: string) => {
        const { status, body } = await at(scope);
        return [status, body.error.code];
      };
      expect(await codes(`${AT_SUBSCRIPTION}/resourceGroups/absent`)).toEqual([404, 'ResourceGroupNotFound']);
      expect(await codes('/subscriptions/30000000-0000-4000-8000-0000000000f1')).toEqual([404, 'SubscriptionNotFound']);
      const missing = [404, 'ParentResourceNotFound'];
      expect(await codes(`${AT_GROUP}/providers/Microsoft.Test/widgets/absent`)).toEqual(missing);
      expect(await codes(`${AT_GROUP}/providers/Microsoft.EventGrid/topics/absent`)).toEqual(missing);
      expect(await codes(`${AT_GROUP}/providers/Microsoft.EventGrid/domains/absent/topics/any`)).toEqual(missing);
      const list = `${AT_GROUP}/providers/Microsoft.Test/widgets/absent/providers/Microsoft.EventGrid/eventSubscriptions`;
      expect((await bench.call('GET', `${list}?api-version=${VERSION}`)).body.error.code).toBe(
        'ParentResourceNotFound',
      );
    });

    it('of another tenant are nobody else’s', async () => {
      const { status } = await at('/subscriptions/20000000-0000-4000-8000-0000000000f1');
      expect(status).toBe(401);
    });
  });

  it('a reader may look, and neither write nor see secrets', async () => {
    await api().put('readable', hook(bench.jar.inbox('reader').httpsUrl));
    await bench.jar.settled();
    const token = await bench.jar.token({ user: 'no-job-queue' });
    const as = (method: string, action = '') =>
      bench.call(method, api().path('readable', action), { token, body: method === 'PUT' ? {} : undefined });
    expect((await as('GET')).status).toBe(200);
    for (const [method, action] of [
      ['PUT'],
      ['DELETE'],
      ['POST', '/getFullUrl'],
      ['POST', '/getDeliveryAttributes'],
    ] as const)
      expect([method, (await as(method, action)).status]).toEqual([method, 403]);
  });

  it.each(['0', '101', '-1', '1.5', 'many', ''])("a list takes no '$top' of '%s'", async (top) => {
    const path = `${AT_SUBSCRIPTION}/providers/Microsoft.EventGrid/eventSubscriptions?api-version=${VERSION}&$top=${top}`;
    const { status, body } = await bench.call('GET', path);
    expect([status, body.error.target]).toEqual([400, '$top']);
  });

  it.each(["topic eq 'x'", 'name', 'name eq', "labels/any(l: l eq 'a')"])(
    "a list takes no '$filter' of %s",
    async (filter) => {
      const path = `${AT_SUBSCRIPTION}/providers/Microsoft.EventGrid/eventSubscriptions?api-version=${VERSION}&$filter=${encodeURIComponent(filter)}`;
      expect((await bench.call('GET', path)).body.error.target).toBe('$filter');
    },
  );
}, OPTIONS);

withJar(
  (bench) => {
    it('a strict jar takes letters and digits only', async () => {
      await makeGroup(bench);
      const { status, body } = await http(bench).put('with-hyphen', queue());
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('letters and digits.')]);
      expect((await http(bench).put('Letters9', queue())).status).toBe(201);
    });

    it('a jar that does not allow it takes plain http for its own inboxes only', async () => {
      expect((await http(bench).put('loopback', hook('http://127.0.0.1:1/in'))).status).toBe(400);
      expect((await http(bench).put('inbox', hook(bench.jar.inbox('own').url))).status).toBe(201);
      await bench.jar.settled();
      expect((await http(bench).get('inbox')).body.properties.provisioningState).toBe('Succeeded');
    });
  },
  { ...OPTIONS, allowHttpLoopback: false, settings: { events: { strictNames: true } } } as typeof OPTIONS,
);
