import { createHmac } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { OPEN_EVENTS } from '../../../../src/services/platform/registry/webhooks/open-events.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal, withoutRates } from '../support.ts';
import { createModel, createVersion, type HttpsReceiver, ML, useHttpsReceiver } from './support.ts';

const HOOKS = `${ML}/webhooks`;
const EVENTS = OPEN_EVENTS.map((event) => ({ entity: event.split('/')[0], action: event.split('/')[1] }));
const probe = new JarProbe();
const newReceiver = useHttpsReceiver(() => probe.jar.certificates.context('localhost'));

onAnyStore(
  'data platform: webhooks of the open-source API',
  (bench) => {
    let ask: Ask;
    let receiver: HttpsReceiver;
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
      receiver = await newReceiver();
    });

    const create = async (more: object = {}) =>
      (await good(ask('POST', HOOKS, { name: 'hook', url: receiver.url, events: EVENTS, secret: 'key', ...more })))
        .webhook;
    const messages = async () => {
      await bench.jar.settled();
      return receiver.received.map(({ body }) => JSON.parse(body));
    };

    it('is created, read, listed, changed and deleted', async () => {
      const made = await create({ events: EVENTS.slice(0, 2), description: 'd' });
      expect(made).toEqual({
        webhook_id: expect.any(String),
        name: 'hook',
        description: 'd',
        url: receiver.url,
        events: [
          { entity: 'REGISTERED_MODEL', action: 'CREATED' },
          { entity: 'MODEL_VERSION', action: 'CREATED' },
        ],
        status: 'ACTIVE',
        creation_timestamp: expect.any(Number),
        last_updated_timestamp: expect.any(Number),
      });
      const path = `${HOOKS}/${made.webhook_id}`;
      expect((await good(ask('GET', path))).webhook).toEqual(made);
      expect((await good(ask('GET', HOOKS))).webhooks).toEqual([made]);
      const changed = (await good(ask('PATCH', path, { status: 'DISABLED', name: 'other' }))).webhook;
      expect(changed).toMatchObject({ name: 'other', status: 'DISABLED', description: 'd', url: receiver.url });
      expect(await good(ask('DELETE', path))).toEqual({});
      expect(refusal(await ask('GET', path))).toMatchObject({ status: 404, code: 'RESOURCE_DOES_NOT_EXIST' });
      expect(await good(ask('GET', `//ajax-api/2.0${HOOKS}`))).toEqual({});
    });

    it('is the administrators’, and of one workspace', async () => {
      const { webhook_id: id } = await create();
      const user = await person(bench, 'licensed');
      for (const [method, path] of [
        ['POST', HOOKS],
        ['GET', HOOKS],
        ['GET', `${HOOKS}/${id}`],
        ['PATCH', `${HOOKS}/${id}`],
        ['DELETE', `${HOOKS}/${id}`],
        ['POST', `${HOOKS}/${id}/test`],
      ] as const)
        expect((await user(method, path, {})).status, `${method} ${path}`).toBe(403);
    });

    it('models: each happening is sent with its data, an id of the delivery, the time and a signature over all three', async () => {
      await create();
      await createModel(ask, 'm', { tags: [{ key: 'a', value: 'b' }], description: 'd' });
      await createVersion(ask, 'm', { source: 'dbfs:/s', run_id: 'r', tags: [{ key: 'c', value: 'd' }] });
      await good(ask('POST', `${ML}/registered-models/set-tag`, { name: 'm', key: 'x', value: 'y' }));
      await good(ask('POST', `${ML}/model-versions/set-tag`, { name: 'm', version: '1', key: 'x', value: 'y' }));
      await good(ask('DELETE', `${ML}/model-versions/delete-tag?name=m&version=1&key=x`));
      await good(ask('DELETE', `${ML}/model-versions/delete-tag?name=m&version=1&key=never`));
      await good(ask('POST', `${ML}/registered-models/alias`, { name: 'm', alias: 'best', version: '1' }));
      await good(ask('DELETE', `${ML}/registered-models/alias?name=m&alias=best`));
      const found = await messages();
      const by = (one: { entity: string; action: string }) => `${one.entity}/${one.action}`;
      expect(found.map(by).sort()).toEqual([
        'model_version/created',
        'model_version_alias/created',
        'model_version_alias/deleted',
        'model_version_tag/deleted',
        'model_version_tag/set',
        'registered_model/created',
      ]);
      const dataOf = (name: string) => found.find((one) => by(one) === name).data;
      expect(dataOf('registered_model/created')).toEqual({ name: 'm', tags: { a: 'b' }, description: 'd' });
      expect(dataOf('model_version/created')).toEqual({
        name: 'm',
        version: '1',
        tags: { c: 'd' },
        source: 'dbfs:/s',
        run_id: 'r',
      });
      expect(dataOf('model_version_tag/set')).toEqual({ name: 'm', version: '1', key: 'x', value: 'y' });
      expect(dataOf('model_version_tag/deleted')).toEqual({ name: 'm', version: '1', key: 'x' });
      expect(dataOf('model_version_alias/created')).toEqual({ name: 'm', alias: 'best', version: '1' });
      expect(dataOf('model_version_alias/deleted')).toEqual({ name: 'm', alias: 'best' });
      for (const { headers, body } of receiver.received) {
        const id = headers['x-mlflow-delivery-id'];
        const seconds = headers['x-mlflow-timestamp'];
        expect(id).toMatch(/^[0-9a-f-]{36}$/);
        expect(seconds).toMatch(/^\d{10}$/);
        expect(JSON.parse(body).timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        const signature = createHmac('sha256', 'key').update(`${id}.${seconds}.${body}`).digest('base64');
        expect(headers['x-mlflow-signature']).toBe(`v1,${signature}`);
      }
    });

    it('prompts, which are models with a tag that says so, have events of their own', async () => {
      await create();
      const isPrompt = { key: 'mlflow.prompt.is_prompt', value: 'true' };
      await createModel(ask, 'p', { tags: [isPrompt] });
      await createVersion(ask, 'p', { tags: [isPrompt, { key: 'mlflow.prompt.text', value: 'Hi {{x}}' }] });
      await good(ask('POST', `${ML}/registered-models/set-tag`, { name: 'p', key: 'x', value: 'y' }));
      await good(ask('DELETE', `${ML}/registered-models/delete-tag?name=p&key=x`));
      await good(ask('POST', `${ML}/model-versions/set-tag`, { name: 'p', version: '1', key: 'x', value: 'y' }));
      await good(ask('DELETE', `${ML}/model-versions/delete-tag?name=p&version=1&key=x`));
      await good(ask('POST', `${ML}/registered-models/alias`, { name: 'p', alias: 'best', version: '1' }));
      await good(ask('DELETE', `${ML}/registered-models/alias`, { name: 'p', alias: 'best' }));
      const found = await messages();
      expect(found.map(({ entity, action }) => `${entity}/${action}`.toUpperCase()).sort()).toEqual(
        OPEN_EVENTS.filter((event) => event.startsWith('PROMPT')).sort(),
      );
      expect(found.find(({ entity }) => entity === 'prompt_version').data).toMatchObject({
        version: '1',
        template: 'Hi {{x}}',
      });
    });

    it('is retried three times on 429, 500, 502, 503 and 504, a second later and then twice as long, with the same id', async () => {
      await create();
      receiver.statuses = [429, 500, 502, 504];
      await createModel(ask, 'm');
      await bench.jar.settled();
      const counts = [receiver.received.length];
      for (const wait of ['1s', '2s', '4s', '1h']) {
        await bench.jar.clock.advance(wait);
        counts.push(receiver.received.length);
      }
      expect(counts).toEqual([1, 2, 3, 4, 4]);
      expect(new Set(receiver.received.map(({ headers }) => headers['x-mlflow-delivery-id'])).size).toBe(1);
      receiver.statuses = [408];
      await createModel(ask, 'n');
      await bench.jar.clock.advance('1h');
      expect(receiver.received).toHaveLength(5);
      receiver.statuses = [503, 200];
      receiver.headers = { 'retry-after': '30' };
      await createModel(ask, 'o');
      await bench.jar.clock.advance('29s');
      expect(receiver.received).toHaveLength(6);
      await bench.jar.clock.advance('1s');
      expect(receiver.received).toHaveLength(7);
    });

    it('disabled it is sent nothing, deleted nothing more', async () => {
      const { webhook_id: id } = await create({ status: 'DISABLED' });
      await createModel(ask, 'm');
      expect(await messages()).toEqual([]);
      await good(ask('PATCH', `${HOOKS}/${id}`, { status: 'ACTIVE' }));
      receiver.statuses = [503];
      await createModel(ask, 'n');
      await bench.jar.settled();
      await good(ask('DELETE', `${HOOKS}/${id}`));
      await bench.jar.clock.advance('1h');
      expect(receiver.received).toHaveLength(1);
      const { value } = await good(control(bench, 'GET', 'deliveries?policy=platform.mlflow-webhook'));
      expect(value.map(({ state }: { state: string }) => state)).toEqual(['cancelled']);
    });

    it('test sends an example of any event and returns the outcome', async () => {
      const { webhook_id: id } = await create({ events: EVENTS.slice(0, 1) });
      const test = async (body: object = {}) => (await good(ask('POST', `${HOOKS}/${id}/test`, body))).result;
      for (const event of EVENTS) {
        expect(await test({ event })).toEqual({ success: true, response_status: 200, response_body: 'thank you' });
        const sent = JSON.parse(receiver.received.at(-1)?.body ?? '{}');
        expect([sent.entity, sent.action]).toEqual([event.entity?.toLowerCase(), event.action?.toLowerCase()]);
        expect(Object.keys(sent.data).length).toBeGreaterThan(1);
      }
      expect(await test()).toMatchObject({ success: true });
      receiver.statuses = [404];
      expect(await test()).toEqual({ success: false, response_status: 404, response_body: 'thank you' });
      await good(ask('PATCH', `${HOOKS}/${id}`, { url: 'https://localhost:1/' }));
      expect(await test()).toEqual({ success: false, error_message: expect.stringContaining('ECONNREFUSED') });
    });

    const GOOD = { name: 'n', url: 'https://hook.example/', events: [{ entity: 'MODEL_VERSION', action: 'CREATED' }] };
    it.each([
      [{ name: undefined }, "Missing value for required parameter 'name'"],
      [{ url: undefined }, "Missing value for required parameter 'url'"],
      [{ events: undefined }, "Missing value for required parameter 'events'"],
      [{ events: [] }, 'at least one event'],
      [{ events: [{ entity: 'MODEL_VERSION' }] }, "Missing value for required parameter 'events[0].action'"],
      [{ events: [{ entity: 'MODEL_VERSION', action: 'SET' }] }, "Invalid action 'SET' for entity 'MODEL_VERSION'"],
      [{ events: [{ entity: 'RUN', action: 'CREATED' }] }, "Invalid action 'CREATED' for entity 'RUN'"],
      [{ events: 'x' }, "Invalid value \"x\" for parameter 'events' supplied: Hint: Value was of type 'str'"],
      [{ url: 'http://hook.example/' }, 'https://'],
      [{ url: 'ftp://hook.example/' }, 'https://'],
      [{ url: 'nowhere' }, 'https://'],
      [{ name: '' }, 'is invalid'],
      [{ name: '-a' }, 'is invalid'],
      [{ name: 'a-' }, 'is invalid'],
      [{ name: 'a b' }, 'is invalid'],
      [{ name: 'a'.repeat(64) }, 'is invalid'],
      [{ status: 'TEST_MODE' }, 'Valid statuses are ACTIVE, DISABLED'],
      [{ secret: 5 }, "Value was of type 'int'"],
    ])('refuses %o', async (more, message) => {
      const { status, body } = await ask('POST', HOOKS, { ...GOOD, ...more });
      expect({ status, code: body.error_code }).toEqual({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
      expect(body.message).toContain(message);
    });

    it.each(['a', 'A.b_c-9', 'a'.repeat(63)])('accepts the name %s, and events in any case', async (name) => {
      const events = [{ entity: 'model_version', action: 'created' }];
      expect((await good(ask('POST', HOOKS, { ...GOOD, name, events }))).webhook.events).toEqual(GOOD.events);
    });
  },
  { services: [...SERVICES, probe.service] },
);
