import { beforeEach, expect, it } from 'vitest';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { all, workspaceClient } from '../sdk.ts';
import { person, withoutRates } from '../support.ts';
import { hexSignature, share, useHttpsReceiver } from './support.ts';

const probe = new JarProbe();
const newReceiver = useHttpsReceiver(() => probe.jar.certificates.context('localhost'));

onBothStores(
  'data platform: the model registry',
  (bench) => {
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
    });

    it('a team registers a model, reviews its versions, brings them to production, and a receiver checks every message', async () => {
      const admin = await person(bench);
      const registry = workspaceClient(bench, {
        token: await bench.jar.token({ user: 'admin', ttl: '365d' }),
      }).modelRegistry;
      const reviewer = workspaceClient(bench, {
        token: await bench.jar.token({ user: 'licensed', ttl: '365d' }),
      }).modelRegistry;
      await person(bench, 'licensed').then((ask) => ask('GET', '/preview/scim/v2/Me'));
      const receiver = await newReceiver();

      const { registered_model: model } = await registry.createModel({
        name: 'churn',
        description: 'who leaves',
        tags: [{ key: 'team', value: 'growth' }],
      });
      expect(model).toEqual({
        name: 'churn',
        creation_timestamp: expect.any(Number),
        last_updated_timestamp: expect.any(Number),
        user_id: 'admin@vendor.example',
        description: 'who leaves',
        tags: [{ key: 'team', value: 'growth' }],
      });
      const { webhook } = await registry.createWebhook({
        model_name: 'churn',
        events: ['MODEL_VERSION_CREATED', 'MODEL_VERSION_TRANSITIONED_TO_PRODUCTION', 'TRANSITION_REQUEST_CREATED'],
        http_url_spec: { url: `${receiver.url}/hook?k=1`, secret: 'shared', authorization: 'Bearer abc' },
      });
      expect(webhook).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        events: ['MODEL_VERSION_CREATED', 'MODEL_VERSION_TRANSITIONED_TO_PRODUCTION', 'TRANSITION_REQUEST_CREATED'],
        creation_timestamp: expect.any(Number),
        last_updated_timestamp: expect.any(Number),
        status: 'ACTIVE',
        http_url_spec: { url: `${receiver.url}/hook?k=1`, enable_ssl_verification: true },
        model_name: 'churn',
      });

      const first = await registry.createModelVersion({
        name: 'churn',
        source: 'dbfs:/models/1',
        run_link: 'https://x.example/1',
      });
      expect(first.model_version).toMatchObject({
        name: 'churn',
        version: '1',
        current_stage: 'None',
        status: 'READY',
      });
      const second = await registry.createModelVersion({ name: 'churn', source: 'runs:/abc/model', run_id: 'abc' });
      expect(second.model_version).toMatchObject({ version: '2', status: 'PENDING_REGISTRATION', run_id: 'abc' });
      await bench.jar.clock.advance('5s');
      expect(await registry.getModelVersion({ name: 'churn', version: '2' })).toMatchObject({
        model_version: { status: 'READY' },
      });
      expect(await registry.getModelVersionDownloadUri({ name: 'churn', version: '1' })).toEqual({
        artifact_uri: 'dbfs:/models/1',
      });

      await share(admin, 'churn', 'licensed', 'CAN_READ');
      const { request } = await reviewer.createTransitionRequest({
        name: 'churn',
        version: '1',
        stage: 'Production',
        comment: 'please',
      });
      expect(request).toEqual({
        creation_timestamp: expect.any(Number),
        user_id: 'licensed@vendor.example',
        to_stage: 'Production',
        comment: 'please',
        available_actions: ['CANCEL_TRANSITION_REQUEST'],
      });
      expect(await all(registry.listTransitionRequests({ name: 'churn', version: '1' }))).toEqual([
        {
          id: expect.any(String),
          activity_type: 'REQUESTED_TRANSITION',
          creation_timestamp: expect.any(Number),
          last_updated_timestamp: expect.any(Number),
          user_id: 'licensed@vendor.example',
          from_stage: 'None',
          to_stage: 'Production',
          comment: 'please',
          available_actions: ['APPROVE_TRANSITION_REQUEST', 'REJECT_TRANSITION_REQUEST', 'CANCEL_TRANSITION_REQUEST'],
        },
      ]);
      await expect(
        reviewer.approveTransitionRequest({
          name: 'churn',
          version: '1',
          stage: 'Production',
          archive_existing_versions: true,
        }),
      ).rejects.toThrow('CAN_MANAGE_PRODUCTION_VERSIONS');
      const { activity } = await registry.approveTransitionRequest({
        name: 'churn',
        version: '1',
        stage: 'production',
        archive_existing_versions: true,
        comment: 'fine',
      });
      expect(activity).toMatchObject({
        activity_type: 'APPROVED_REQUEST',
        user_id: 'admin@vendor.example',
        from_stage: 'None',
        to_stage: 'Production',
        comment: 'fine',
      });
      expect(await all(registry.listTransitionRequests({ name: 'churn', version: '1' }))).toEqual([]);

      const moved = await registry.transitionStage({
        name: 'churn',
        version: '2',
        stage: 'Production',
        archive_existing_versions: true,
      });
      expect(moved.model_version_databricks).toMatchObject({
        version: '2',
        current_stage: 'Production',
        permission_level: 'CAN_MANAGE',
        email_subscription_status: 'DEFAULT',
      });
      const latest = await all(registry.getLatestVersions({ name: 'churn' }));
      expect(latest.map((each) => [each.version, each.current_stage])).toEqual([
        ['2', 'Production'],
        ['1', 'Archived'],
      ]);
      expect(await registry.getModel({ name: 'churn' })).toMatchObject({
        registered_model_databricks: {
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          permission_level: 'CAN_MANAGE',
          latest_versions: [{ version: '1' }, { version: '2' }],
        },
      });

      const { comment } = await reviewer.createComment({ name: 'churn', version: '2', comment: 'well done' });
      expect(comment).toMatchObject({ comment: 'well done', available_actions: ['EDIT_COMMENT', 'DELETE_COMMENT'] });
      await reviewer.deleteComment({ id: comment?.id as string });
      await registry.setModelTag({ name: 'churn', key: 'state', value: 'live' });
      await registry.setModelVersionTag({ name: 'churn', version: '2', key: 'auc', value: '0.9' });
      await registry.renameModel({ name: 'churn', new_name: 'churn-2' });
      expect((await all(registry.searchModels({ filter: "tags.state = 'live'" }))).map(({ name }) => name)).toEqual([
        'churn-2',
      ]);
      expect(
        (await all(registry.searchModelVersions({ filter: "name = 'churn-2' and tags.auc LIKE '0%'" }))).map(
          (each) => each.version,
        ),
      ).toEqual(['2']);
      expect((await all(registry.listModels({}))).map(({ name }) => name)).toEqual(['churn-2']);
      expect((await all(registry.listWebhooks({ model_name: 'churn-2' }))).map(({ id }) => id)).toEqual([webhook?.id]);

      await bench.jar.settled();
      const messages = receiver.received.map(({ body }) => JSON.parse(body));
      expect(messages.map(({ event, version }) => `${event} ${version}`).sort()).toEqual([
        'MODEL_VERSION_CREATED 1',
        'MODEL_VERSION_CREATED 2',
        'MODEL_VERSION_TRANSITIONED_TO_PRODUCTION 1',
        'MODEL_VERSION_TRANSITIONED_TO_PRODUCTION 2',
        'TRANSITION_REQUEST_CREATED 1',
      ]);
      expect(messages.find(({ event }) => event === 'MODEL_VERSION_TRANSITIONED_TO_PRODUCTION')).toEqual({
        event: 'MODEL_VERSION_TRANSITIONED_TO_PRODUCTION',
        webhook_id: webhook?.id,
        event_timestamp: expect.any(Number),
        model_name: 'churn',
        version: '1',
        to_stage: 'Production',
        from_stage: 'None',
        comment: 'fine',
        text: "Registered model 'churn' version 1 transitioned from None to Production.",
      });
      for (const { headers, body, path, method } of receiver.received) {
        expect([method, path]).toEqual(['POST', '/hook?k=1']);
        expect(headers['x-databricks-signature']).toBe(hexSignature('shared', body));
        expect(headers.authorization).toBe('Bearer abc');
        expect(headers['content-type']).toBe('application/json');
      }

      await expect(registry.deleteModel({ name: 'churn-2' })).rejects.toThrow('Production');
      await registry.transitionStage({
        name: 'churn-2',
        version: '2',
        stage: 'Archived',
        archive_existing_versions: false,
      });
      await registry.deleteModelVersion({ name: 'churn-2', version: '2' });
      const third = await registry.createModelVersion({ name: 'churn-2', source: 'dbfs:/models/3' });
      expect(third.model_version?.version).toBe('3');
      await registry.deleteModel({ name: 'churn-2' });
      await expect(registry.getModel({ name: 'churn-2' })).rejects.toThrow(
        "RegisteredModel 'churn-2' does not exist. It might have been deleted.",
      );
      expect(await all(registry.searchModelVersions({}))).toEqual([]);
      expect(await all(registry.listWebhooks({}))).toEqual([]);
    });
  },
  { services: [...SERVICES, probe.service] },
);
