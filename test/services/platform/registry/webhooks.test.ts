import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadAuthority } from '../../../../src/kernel/tls/authority.ts';
import { wantedNames } from '../../../../src/kernel/tls/names.ts';
import { webhooks } from '../../../../src/services/platform/registry/webhooks/collections.ts';
import { REGISTRY_EVENTS } from '../../../../src/services/platform/registry/webhooks/events.ts';
import { parametersFor } from '../../../../src/services/platform/registry/webhooks/run-job.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { createJob, runsOf } from '../jobs/support.ts';
import { type Ask, control, good, person, refusal, withoutRates } from '../support.ts';
import {
  createModel,
  createVersion,
  createWebhook,
  type HttpsReceiver,
  hexSignature,
  ML,
  share,
  transition,
  useHttpsReceiver,
} from './support.ts';

const HOOKS = `${ML}/registry-webhooks`;
const probe = new JarProbe();
const newReceiver = useHttpsReceiver(() => probe.jar.certificates.context('localhost'));

onAnyStore(
  'data platform: registry webhooks',
  (bench) => {
    let ask: Ask;
    let receiver: HttpsReceiver;
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
      receiver = await newReceiver();
      await createModel(ask, 'm');
      await createVersion(ask, 'm');
    });

    const http = (more: object = {}) => ({ http_url_spec: { url: receiver.url, secret: 's' }, ...more });
    const messages = async () => {
      await bench.jar.settled();
      return receiver.received.map(({ body }) => JSON.parse(body));
    };
    const events = async () => (await messages()).map(({ event }) => event).sort();

    it('every event is delivered with its subject, to webhooks of the model and to those of all models', async () => {
      const ofModel = REGISTRY_EVENTS.filter((event) => event !== 'REGISTERED_MODEL_CREATED');
      const one = await createWebhook(ask, http({ model_name: 'm', events: ofModel }));
      const every = await createWebhook(ask, http({ events: REGISTRY_EVENTS }));
      await createModel(ask, 'other');
      await createVersion(ask, 'm');
      await good(ask('POST', `${ML}/model-versions/set-tag`, { name: 'm', version: '1', key: 'k', value: 'v' }));
      await good(ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'nice' }));
      for (const stage of ['Staging', 'Production', 'Archived', 'None']) {
        const about = { name: 'm', version: '1', stage, comment: 'why' };
        await good(ask('POST', `${ML}/transition-requests/create`, about));
        await good(transition(ask, 'm', 1, stage));
      }
      const found = await messages();
      const of = (id: string) => found.filter(({ webhook_id }) => webhook_id === id);
      const expected = [
        'COMMENT_CREATED',
        'MODEL_VERSION_CREATED',
        'MODEL_VERSION_TAG_SET',
        ...Array(4).fill('MODEL_VERSION_TRANSITIONED_STAGE'),
        'MODEL_VERSION_TRANSITIONED_TO_ARCHIVED',
        'MODEL_VERSION_TRANSITIONED_TO_PRODUCTION',
        'MODEL_VERSION_TRANSITIONED_TO_STAGING',
        ...Array(4).fill('TRANSITION_REQUEST_CREATED'),
        'TRANSITION_REQUEST_TO_ARCHIVED_CREATED',
        'TRANSITION_REQUEST_TO_PRODUCTION_CREATED',
        'TRANSITION_REQUEST_TO_STAGING_CREATED',
      ];
      expect(
        of(one.id)
          .map(({ event }) => event)
          .sort(),
      ).toEqual(expected);
      expect(
        of(every.id)
          .map(({ event }) => event)
          .sort(),
      ).toEqual([...expected, 'REGISTERED_MODEL_CREATED'].sort());
      const first = (event: string) => of(every.id).find((each) => each.event === event);
      const common = { webhook_id: every.id, event_timestamp: expect.any(Number), model_name: 'm', version: '1' };
      expect(first('MODEL_VERSION_TAG_SET')).toEqual({
        event: 'MODEL_VERSION_TAG_SET',
        ...common,
        tags: [{ key: 'k', value: 'v' }],
        text: "admin@vendor.example set the tag 'k' of registered model 'm' version 1.",
      });
      expect(first('COMMENT_CREATED')).toEqual({
        event: 'COMMENT_CREATED',
        ...common,
        comment: 'nice',
        text: "admin@vendor.example commented on registered model 'm' version 1: nice",
      });
      expect(first('TRANSITION_REQUEST_TO_PRODUCTION_CREATED')).toEqual({
        event: 'TRANSITION_REQUEST_TO_PRODUCTION_CREATED',
        ...common,
        to_stage: 'Production',
        comment: 'why',
        text: "admin@vendor.example requested a transition of registered model 'm' version 1 to Production.",
      });
      expect(first('REGISTERED_MODEL_CREATED')).toEqual({
        event: 'REGISTERED_MODEL_CREATED',
        webhook_id: every.id,
        event_timestamp: expect.any(Number),
        model_name: 'other',
        text: "Registered model 'other' was created by admin@vendor.example.",
      });
      for (const { headers, body } of receiver.received)
        expect(headers['x-databricks-signature']).toBe(hexSignature('s', body));
    });

    it('a webhook that is DISABLED or in TEST_MODE gets only test messages until it is ACTIVE again', async () => {
      const { id } = await createWebhook(ask, http({ events: ['COMMENT_CREATED'], status: 'TEST_MODE' }));
      const comment = () => good(ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'c' }));
      await comment();
      await good(ask('PATCH', `${HOOKS}/update`, { id, status: 'DISABLED' }));
      await comment();
      expect(await messages()).toEqual([]);
      expect(await good(ask('POST', `${HOOKS}/test`, { id }))).toEqual({
        status_code: 200,
        status: 200,
        body: 'thank you',
      });
      expect(await messages()).toMatchObject([
        { event: 'COMMENT_CREATED', comment: 'This is a test.', webhook_id: id },
      ]);
      await good(ask('PATCH', `${HOOKS}/update`, { id, status: 'ACTIVE' }));
      await comment();
      expect(await events()).toEqual(['COMMENT_CREATED', 'COMMENT_CREATED']);
    });

    it('test sends a message of any event, signed', async () => {
      const { id } = await createWebhook(ask, http({ events: ['COMMENT_CREATED'] }));
      const stages = [];
      for (const event of REGISTRY_EVENTS) {
        expect((await good(ask('POST', `${HOOKS}/test`, { id, event }))).status_code).toBe(200);
        const { headers, body } = receiver.received.at(-1) as (typeof receiver.received)[number];
        expect(headers['x-databricks-signature']).toBe(hexSignature('s', body));
        expect(JSON.parse(body).event).toBe(event);
        stages.push(JSON.parse(body).to_stage ?? '');
      }
      const named = ['Staging', 'Production', 'Archived'];
      expect(stages).toEqual(['', 'Staging', 'Staging', '', '', '', ...named, ...named]);
    });

    it('test returns the response of a receiver, or why there is none', async () => {
      const { id } = await createWebhook(ask, http({ events: ['COMMENT_CREATED'] }));
      receiver.statuses = [503];
      expect(await good(ask('POST', `${HOOKS}/test`, { id }))).toMatchObject({ status_code: 503 });
      const nowhere = { http_url_spec: { url: 'https://localhost:1/' }, events: ['COMMENT_CREATED'] };
      const gone = await createWebhook(ask, nowhere);
      const answer = await good(ask('POST', `${HOOKS}/test`, { id: gone.id }));
      expect(answer).toEqual({ status_code: 0, status: 0, body: expect.stringContaining('ECONNREFUSED') });
    });

    it('without a secret there is no signature, and a secret that is added later signs pending deliveries', async () => {
      const { id } = await createWebhook(ask, { events: ['COMMENT_CREATED'], http_url_spec: { url: receiver.url } });
      receiver.statuses = [500, 200];
      await good(ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'c' }));
      await bench.jar.settled();
      const updated = await good(ask('PATCH', `${HOOKS}/update`, { id, http_url_spec: { secret: 'later' } }));
      expect(updated.webhook.http_url_spec).toEqual({ url: receiver.url, enable_ssl_verification: true });
      await bench.jar.clock.advance('10s');
      const [first, second] = receiver.received;
      expect(first?.headers).not.toHaveProperty('x-databricks-signature');
      expect(second?.headers['x-databricks-signature']).toBe(hexSignature('later', second?.body ?? ''));
    });

    it('an answer that says so is retried on the schedule, one that refuses is not, and a deleted webhook is sent nothing more', async () => {
      const { id } = await createWebhook(ask, http({ events: ['COMMENT_CREATED'] }));
      const comment = () => good(ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'c' }));
      receiver.statuses = [503, 500, 200];
      await comment();
      await bench.jar.clock.advance('10s');
      expect(receiver.received).toHaveLength(2);
      await bench.jar.clock.advance('29s');
      expect(receiver.received).toHaveLength(2);
      await bench.jar.clock.advance('1s');
      expect(receiver.received).toHaveLength(3);
      receiver.statuses = [404];
      await comment();
      await bench.jar.clock.advance('2h');
      expect(receiver.received).toHaveLength(4);
      receiver.statuses = [500];
      await comment();
      await bench.jar.settled();
      expect(receiver.received).toHaveLength(5);
      await good(ask('DELETE', `${HOOKS}/delete?id=${id}`));
      await bench.jar.clock.advance('2h');
      expect(receiver.received).toHaveLength(5);
      const kept = (await good(control(bench, 'GET', 'deliveries?policy=platform.registry-webhook&$orderby=id'))).value;
      expect(kept.map(({ state }: { state: string }) => state)).toEqual(['delivered', 'dropped', 'cancelled']);
      expect(JSON.stringify(kept)).not.toContain(hexSignature('s', receiver.received[0]?.body ?? ''));
    });

    it('pending deliveries are cancelled when a webhook changes to running a job', async () => {
      const { id } = await createWebhook(ask, http({ events: ['COMMENT_CREATED'] }));
      receiver.statuses = [503];
      await good(ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'c' }));
      await bench.jar.settled();
      await good(ask('PATCH', `${HOOKS}/update`, { id, job_spec: { job_id: '1', access_token: 't' } }));
      await bench.jar.clock.advance('1h');
      expect(receiver.received).toHaveLength(1);
      const { value } = await good(control(bench, 'GET', 'deliveries?service=platform'));
      expect(value.map(({ state }: { state: string }) => state)).toEqual(['cancelled']);
    });

    it('secrets are sealed in the store, and in no answer', async () => {
      const spec = { url: receiver.url, secret: 'hidden-secret', authorization: 'hidden-authorization' };
      const made = await createWebhook(ask, { events: ['COMMENT_CREATED'], http_url_spec: spec });
      const job = { job_id: '1', access_token: 'hidden-token' };
      const other = await createWebhook(ask, { events: ['COMMENT_CREATED'], job_spec: job });
      expect(other.job_spec).toEqual({ job_id: '1' });
      const shown = [
        await good(ask('GET', `${HOOKS}/list`)),
        await good(ask('GET', `${HOOKS}/get?id=${made.id}`)),
        await good(ask('GET', `//ml/webhooks/get?id=${other.id}`)),
      ];
      expect(JSON.stringify(shown)).not.toContain('hidden');
      const stored = await probe.jar.store.query(webhooks, { limit: 10 });
      expect(stored.items).toHaveLength(2);
      expect(JSON.stringify(stored)).not.toContain('hidden');
    });

    describe('that run a job', () => {
      const notebook = { notebook_task: { notebook_path: '/Shared/n', source: 'WORKSPACE' } };
      const token = async () => (await good(ask('POST', '/token/create', { comment: 'webhook' }))).token_value;
      beforeEach(() =>
        good(
          ask('POST', '/workspace/import', {
            path: '/Shared/n',
            format: 'SOURCE',
            language: 'PYTHON',
            content: Buffer.from('# Databricks notebook source\n# cloudjar: echo "got $event_message"\n').toString(
              'base64',
            ),
          }),
        ),
      );

      it('begin one run for each event, as the owner of the token, with the message as a parameter', async () => {
        const job = await createJob(ask, {
          name: 'on model',
          max_concurrent_runs: 5,
          tasks: [{ task_key: 'a', ...notebook }],
        });
        const job_spec = { job_id: String(job), access_token: await token() };
        const { id } = await createWebhook(ask, { model_name: 'm', events: ['MODEL_VERSION_CREATED'], job_spec });
        await createVersion(ask, 'm');
        await createVersion(ask, 'm');
        await bench.jar.clock.advance('1m');
        const found = await runsOf(ask, job, '&expand_tasks=true');
        expect(found).toHaveLength(2);
        const [run] = found;
        expect(run).toMatchObject({ creator_user_name: 'admin@vendor.example', trigger: 'ONE_TIME' });
        const message = JSON.parse(run.overriding_parameters.notebook_params.event_message);
        expect(message).toMatchObject({ event: 'MODEL_VERSION_CREATED', webhook_id: id, model_name: 'm' });
        const output = await good(ask('GET', `/api/2.2/jobs/runs/get-output?run_id=${run.tasks[0].run_id}`));
        expect(output.logs).toContain(`got ${run.overriding_parameters.notebook_params.event_message}`);
        const tested = await good(ask('POST', `${HOOKS}/test`, { id }));
        expect(tested.status_code).toBe(200);
        expect(JSON.parse(tested.body)).toMatchObject({ run_id: expect.any(Number) });
        expect(await runsOf(ask, job)).toHaveLength(3);
      });

      it('call the workspace that they name', async () => {
        const job = await createJob(ask, { name: 'by url', tasks: [{ task_key: 'a', ...notebook }] });
        const job_spec = { job_id: String(job), access_token: await token(), workspace_url: bench.jar.httpsUrl };
        await createWebhook(ask, { events: ['REGISTERED_MODEL_CREATED'], job_spec });
        await createModel(ask, 'another');
        await bench.jar.settled();
        expect(await runsOf(ask, job)).toHaveLength(1);
      });

      it('with a token that is wrong, or whose owner may not run the job, begin nothing; the record says why', async () => {
        const job = await createJob(ask, { name: 'private', tasks: [{ task_key: 'a', ...notebook }] });
        const user = await person(bench, 'licensed');
        await good(user('GET', '/preview/scim/v2/Me'));
        const theirs = (await good(user('POST', '/token/create', {}))).token_value;
        for (const access_token of ['dapi00000000000000000000000000000000', theirs])
          await createWebhook(ask, { events: ['COMMENT_CREATED'], job_spec: { job_id: String(job), access_token } });
        await good(ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'c' }));
        await bench.jar.clock.advance('1h');
        expect(await runsOf(ask, job)).toEqual([]);
        const records = (await good(control(bench, 'GET', 'deliveries?policy=platform.registry-job'))).value;
        expect(records.map(({ lastAttempt }: { lastAttempt: object }) => lastAttempt)).toMatchObject([
          { status: 403 },
          { status: 403 },
        ]);
        expect(records.map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 1]);
      });
    });

    it('a receiver whose certificate is not trusted is sent something only where no check is asked for', async () => {
      const names = wantedNames('127.0.0.1');
      const { key, cert } = loadAuthority(undefined, { names, wallNow: Date.now }).serverCredentials();
      let received = 0;
      const server = createServer({ key, cert }, (_request, response) => {
        received++;
        response.end('ok');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
        const strict = await createWebhook(ask, { events: ['COMMENT_CREATED'], http_url_spec: { url } });
        expect((await good(ask('POST', `${HOOKS}/test`, { id: strict.id }))).status_code).toBe(0);
        expect(received).toBe(0);
        await good(
          ask('PATCH', `${HOOKS}/update`, { id: strict.id, http_url_spec: { enable_ssl_verification: false } }),
        );
        expect((await good(ask('POST', `${HOOKS}/test`, { id: strict.id }))).status_code).toBe(200);
        await good(ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'c' }));
        await bench.jar.settled();
        expect(received).toBe(2);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    it('lists by model and event, in pages, and shows other users only what they may read', async () => {
      await createModel(ask, 'n');
      const made: { id: string }[] = [];
      for (const model_name of ['m', 'n', undefined])
        for (const event of ['COMMENT_CREATED', 'MODEL_VERSION_CREATED'])
          made.push(await createWebhook(ask, http({ model_name, events: [event] })));
      const ids = async (who: Ask, query: string) =>
        ((await good(who('GET', `${HOOKS}/list${query}`))).webhooks ?? [])
          .map(({ id }: { id: string }) => made.findIndex((each) => each.id === id))
          .sort();
      expect(await ids(ask, '')).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await ids(ask, '?model_name=n')).toEqual([2, 3]);
      expect(await ids(ask, '?events=COMMENT_CREATED')).toEqual([0, 2, 4]);
      expect(await ids(ask, '?model_name=m&events=MODEL_VERSION_CREATED&events=COMMENT_CREATED')).toEqual([0, 1]);
      const user = await person(bench, 'licensed');
      expect(await ids(user, '')).toEqual([4, 5]);
      await share(ask, 'n', 'licensed', 'CAN_READ');
      expect(await ids(user, '')).toEqual([2, 3, 4, 5]);
      const seen = [];
      for (let token = ''; ; ) {
        const page = await good(ask('GET', `${HOOKS}/list?max_results=4&page_token=${token}`));
        seen.push(page.webhooks.length);
        token = page.next_page_token ?? '';
        if (token === '') break;
      }
      expect(seen).toEqual([4, 2]);
      expect(refusal(await user('PATCH', `${HOOKS}/update`, { id: made[2]?.id, status: 'DISABLED' }))).toMatchObject({
        status: 403,
      });
      expect(refusal(await user('DELETE', `${HOOKS}/delete?id=${made[4]?.id}`))).toMatchObject({ status: 403 });
      await share(ask, 'n', 'licensed', 'CAN_MANAGE');
      await good(user('PATCH', `${HOOKS}/update`, { id: made[2]?.id, status: 'DISABLED', description: 'mine' }));
      expect((await good(user('GET', `${HOOKS}/get?id=${made[2]?.id}`))).webhook).toMatchObject({
        description: 'mine',
      });
      await good(ask('DELETE', `${ML}/registered-models/delete?name=n`));
      expect(await ids(ask, '')).toEqual([0, 1, 4, 5]);
    });
  },
  { services: [...SERVICES, probe.service] },
);

describe('the parameters of a job', () => {
  const job = (...kinds: string[]) => ({ settings: { tasks: kinds.map((kind) => ({ task_key: kind, [kind]: {} })) } });
  const map = { event_message: 'p' };
  it.each([
    [['notebook_task'], { notebook_params: map }],
    [['python_wheel_task'], { notebook_params: map, python_named_params: map }],
    [['spark_python_task'], { python_params: ['p'] }],
    [['spark_jar_task'], { python_params: ['p'], jar_params: ['p'] }],
    [['spark_submit_task'], { python_params: ['p'], spark_submit_params: ['p'] }],
    [['sql_task'], {}],
    [
      ['notebook_task', 'python_wheel_task', 'spark_python_task', 'spark_jar_task', 'spark_submit_task'],
      { notebook_params: map, python_named_params: map, python_params: ['p'], spark_submit_params: ['p'] },
    ],
  ])('of %s carry the message', (kinds, expected) => {
    expect(parametersFor(job(...kinds), 'p')).toEqual(expected);
  });
});
