import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, type Reply } from '../../../support/jars.ts';
import { ACCOUNT } from '../sdk.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';
import { activitiesOf, createModel, createVersion, getModel, getVersion, ML, share, transition } from './support.ts';

/** One test for each sentence about the registry in the facts, and for our decisions where the facts are silent. */

const IPV = { status: 400, code: 'INVALID_PARAMETER_VALUE' };
const RDNE = { status: 404, code: 'RESOURCE_DOES_NOT_EXIST' };

onAnyStore('data platform: facts about the model registry', (bench) => {
  let ask: Ask;
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const MODELS = `${ML}/registered-models`;
  const VERSIONS = `${ML}/model-versions`;

  describe('names', () => {
    it.each([
      ['', "Got an invalid name ''. Registered Model names cannot be empty strings."],
      [undefined, "Got an invalid name ''. Registered Model names cannot be empty strings."],
      ['  ', 'Registered Model names cannot be empty strings.'],
      ['a/b', "Invalid name: 'a/b'."],
      ['a:b', "Invalid name: 'a:b'."],
      ['..', "Invalid name: '..'."],
      ['.', "Invalid name: '.'."],
      ['a'.repeat(257), "'name' exceeds the maximum length of 256 characters"],
      [5, "Invalid value 5 for parameter 'name' supplied: Hint: Value was of type 'int'."],
    ])('refuses a model with the name %j', async (name, message) => {
      const refused = refusal(await ask('POST', `${MODELS}/create`, { name }));
      expect(refused).toMatchObject({ ...IPV, message: expect.stringContaining(message) });
    });

    it.each(['a', 'A b', 'a.b', 'ä-ö_ü', "it's", '%_', 'a'.repeat(256)])(
      'accepts a model with the name %s',
      async (name) => {
        await createModel(ask, name);
        expect((await getModel(ask, name)).name).toBe(name);
      },
    );

    it('a tag may have letters of any alphabet in its key', async () => {
      await createModel(ask, 'm', { tags: [{ key: 'größe', value: '1' }] });
      await good(ask('POST', `${MODELS}/set-tag`, { name: 'm', key: '名前', value: '2' }));
      const { tags } = await getModel(ask, 'm');
      expect(tags.map(({ key }: { key: string }) => key)).toEqual(['größe', '名前']);
    });

    it.each([
      ['', 'Missing value for required parameter'],
      ['k'.repeat(251), "'key' exceeds the maximum length of 250 characters"],
      [
        'a$',
        'Names may only contain alphanumerics, underscores (_), dashes (-), periods (.), spaces ( ), colon(:) and slashes (/).',
      ],
      ['a//b', "This name would resolve to 'a/b'"],
      ['../a', 'must not resolve to other names'],
      ['/a', 'must not resolve to other names'],
      ['.', 'must not resolve to other names'],
    ])('refuses the tag key %j, alone and among others', async (key, message) => {
      await createModel(ask, 'm');
      const alone = refusal(await ask('POST', `${MODELS}/set-tag`, { name: 'm', key, value: 'v' }));
      expect(alone).toMatchObject({ ...IPV, message: expect.stringContaining(message) });
      const tags = [
        { key: 'good', value: '' },
        { key, value: 'v' },
      ];
      const among = refusal(await ask('POST', `${MODELS}/create`, { name: 'n', tags }));
      expect(among).toMatchObject({ ...IPV, message: expect.stringContaining(message) });
    });

    it('a tag has 250 characters of key and 100,000 of value; all tags of one thing together a million', async () => {
      await createModel(ask, 'm');
      const set = (key: string, length: number) =>
        ask('POST', `${MODELS}/set-tag`, { name: 'm', key, value: 'v'.repeat(length) });
      expect(refusal(await set('k', 100_001))).toMatchObject({
        ...IPV,
        message: "'value' exceeds the maximum length of 100000 characters",
      });
      for (let i = 0; i < 9; i++) await good(set('k'.repeat(250 - i), 100_000));
      expect(refusal(await set('last', 100_000))).toMatchObject({
        ...IPV,
        message: expect.stringContaining('1000000'),
      });
      const tags = Array.from({ length: 1001 }, (_, i) => ({ key: `k${i}`, value: '' }));
      expect(refusal(await ask('POST', `${MODELS}/create`, { name: 'n', tags }))).toMatchObject(IPV);
    });

    it.each([
      ['', 'Registered model alias name cannot be empty.'],
      ['a b', 'Names may only contain alphanumerics, underscores (_), and dashes (-).'],
      ['a'.repeat(256), "'Registered model alias name' exceeds the maximum length of 255 characters"],
      ['Latest', "'latest' alias name (case insensitive) is reserved."],
      ['v12', "Version alias name 'v12' is reserved."],
      ['V1', "Version alias name 'V1' is reserved."],
    ])('refuses the alias %j', async (alias, message) => {
      await createModel(ask, 'm');
      await createVersion(ask, 'm');
      const refused = refusal(await ask('POST', `${MODELS}/alias`, { name: 'm', alias, version: '1' }));
      expect(refused).toMatchObject({ ...IPV, message: expect.stringContaining(message) });
    });
  });

  describe('models', () => {
    it('a second one of a name is refused; names differ by case', async () => {
      await createModel(ask, 'm');
      expect(refusal(await ask('POST', `${MODELS}/create`, { name: 'm' }))).toEqual({
        status: 400,
        code: 'RESOURCE_ALREADY_EXISTS',
        message: 'Registered Model (name=m) already exists.',
      });
      await createModel(ask, 'M');
    });

    it('a missing one is named', async () => {
      const calls: Promise<Reply>[] = [
        ask('GET', `${MODELS}/get?name=x`),
        ask('GET', `${ML}/databricks/registered-models/get?name=x`),
        ask('PATCH', `${MODELS}/update`, { name: 'x' }),
        ask('DELETE', `${MODELS}/delete?name=x`),
        ask('POST', `${MODELS}/rename`, { name: 'x', new_name: 'y' }),
        ask('POST', `${VERSIONS}/create`, { name: 'x', source: 's' }),
        ask('POST', `${MODELS}/get-latest-versions`, { name: 'x' }),
      ];
      for (const reply of await Promise.all(calls))
        expect(refusal(reply)).toEqual({
          ...RDNE,
          message: "RegisteredModel 'x' does not exist. It might have been deleted.",
        });
    });

    it.each([
      ['GET', 'registered-models/get', 'name'],
      ['POST', 'registered-models/rename', 'name'],
      ['DELETE', 'registered-models/delete', 'name'],
      ['POST', 'model-versions/create', 'name'],
      ['GET', 'model-versions/get', 'name'],
      ['POST', 'transition-requests/create', 'name'],
      ['POST', 'comments/create', 'name'],
      ['DELETE', 'comments/delete', 'id'],
      ['DELETE', 'registry-webhooks/delete', 'id'],
    ])('%s %s without its arguments says which is missing', async (method, path, name) => {
      const message = `Missing value for required parameter '${name}'. See the API docs for more information about request parameters.`;
      expect(refusal(await ask(method, `${ML}/${path}`, method === 'POST' ? {} : undefined))).toEqual({
        ...IPV,
        message,
      });
    });

    it('update changes the description, and keeps it if none is sent', async () => {
      await createModel(ask, 'm', { description: 'one' });
      await bench.jar.clock.advance('1s');
      const { registered_model: same } = await good(ask('PATCH', `${MODELS}/update`, { name: 'm' }));
      expect(same.description).toBe('one');
      const { registered_model: two } = await good(ask('PATCH', `${MODELS}/update`, { name: 'm', description: 'two' }));
      expect(two.description).toBe('two');
      expect(two.last_updated_timestamp - two.creation_timestamp).toBe(1000);
      expect(
        refusal(await ask('PATCH', `${MODELS}/update`, { name: 'm', description: 'd'.repeat(65_536) })),
      ).toMatchObject(IPV);
    });

    it('rename keeps versions, tags, aliases, permissions and webhooks, and refuses a name that is taken', async () => {
      await createModel(ask, 'm', { tags: [{ key: 'k', value: 'v' }] });
      await createVersion(ask, 'm');
      await good(ask('POST', `${MODELS}/alias`, { name: 'm', alias: 'best', version: '1' }));
      const { id } = await getModel(ask, 'm');
      await createModel(ask, 'taken');
      expect(refusal(await ask('POST', `${MODELS}/rename`, { name: 'm', new_name: 'taken' }))).toMatchObject({
        code: 'RESOURCE_ALREADY_EXISTS',
      });
      const { registered_model: renamed } = await good(ask('POST', `${MODELS}/rename`, { name: 'm', new_name: 'n' }));
      expect(renamed).toMatchObject({
        name: 'n',
        tags: [{ key: 'k', value: 'v' }],
        aliases: [{ alias: 'best', version: '1' }],
        latest_versions: [{ name: 'n', version: '1', aliases: ['best'] }],
      });
      expect((await getModel(ask, 'n')).id).toBe(id);
      expect((await ask('GET', `${MODELS}/get?name=m`)).status).toBe(404);
      await createModel(ask, 'm');
      expect((await createVersion(ask, 'n')).version).toBe('2');
    });

    it('deleting one deletes its versions, also in searches, and its name is free; one with a version in Staging or Production stays', async () => {
      await createModel(ask, 'm');
      await createVersion(ask, 'm');
      for (const stage of ['Staging', 'Production']) {
        await good(transition(ask, 'm', 1, stage));
        expect(refusal(await ask('DELETE', `${MODELS}/delete?name=m`))).toMatchObject({
          status: 400,
          code: 'INVALID_STATE',
        });
        expect(refusal(await ask('DELETE', `${VERSIONS}/delete?name=m&version=1`))).toMatchObject({
          code: 'INVALID_STATE',
        });
      }
      await good(transition(ask, 'm', 1, 'Archived'));
      const { comment } = await good(ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'c' }));
      await good(ask('DELETE', `${MODELS}/delete`, { name: 'm' }));
      await createModel(ask, 'm');
      expect(refusal(await ask('GET', `${VERSIONS}/get?name=m&version=1`))).toMatchObject({
        ...RDNE,
        message: 'Model Version (name=m, version=1) not found',
      });
      expect(await good(ask('GET', `${VERSIONS}/search`))).toEqual({});
      expect(refusal(await ask('DELETE', `${ML}/comments/delete?id=${comment.id}`))).toMatchObject(RDNE);
      expect((await createVersion(ask, 'm')).version).toBe('1');
    });
  });

  describe('versions', () => {
    beforeEach(() => createModel(ask, 'm'));

    it('count up from 1 and are not used again', async () => {
      expect((await createVersion(ask, 'm')).version).toBe('1');
      expect((await createVersion(ask, 'm')).version).toBe('2');
      await good(ask('DELETE', `${VERSIONS}/delete?name=m&version=2`));
      expect((await createVersion(ask, 'm')).version).toBe('3');
      await createModel(ask, 'other');
      expect((await createVersion(ask, 'other')).version).toBe('1');
    });

    it('show all that they were created with', async () => {
      const sent = {
        source: 'dbfs:/s',
        run_id: 'r',
        run_link: 'https://x.example/r',
        description: 'd',
        tags: [{ key: 'k', value: 'v' }],
      };
      const made = await createVersion(ask, 'm', sent);
      expect(made).toEqual({
        name: 'm',
        version: '1',
        creation_timestamp: expect.any(Number),
        last_updated_timestamp: expect.any(Number),
        user_id: 'admin@vendor.example',
        current_stage: 'None',
        status: 'READY',
        ...sent,
      });
      expect(await getVersion(ask, 'm', 1)).toEqual(made);
    });

    it.each([['x'], ['1.5'], ['1e3'], ['９']])('the version %s is no integer', async (version) => {
      expect(refusal(await ask('GET', `${VERSIONS}/get?name=m&version=${encodeURIComponent(version)}`))).toEqual({
        ...IPV,
        message: `Model version must be an integer, got '${version}'`,
      });
    });

    it('a version may be given as a number', async () => {
      await createVersion(ask, 'm');
      await good(ask('POST', `${VERSIONS}/set-tag`, { name: 'm', version: 1, key: 'k', value: 'v' }));
      expect((await getVersion(ask, 'm', 1)).tags).toEqual([{ key: 'k', value: 'v' }]);
      for (const version of ['0', '-1', '2', '999999999999999'])
        expect(refusal(await ask('GET', `${VERSIONS}/get?name=m&version=${version}`))).toMatchObject(RDNE);
    });

    it('files of a run are copied: PENDING_REGISTRATION, then READY, also when the model was renamed meanwhile', async () => {
      for (const source of ['runs:/abc/model', 'dbfs:/databricks/mlflow-tracking/1/abc/artifacts/model']) {
        const made = await createVersion(ask, 'm', { source });
        expect(made).toMatchObject({ status: 'PENDING_REGISTRATION', status_message: expect.any(String) });
      }
      await good(ask('POST', `${MODELS}/rename`, { name: 'm', new_name: 'n' }));
      await good(ask('DELETE', `${VERSIONS}/delete?name=n&version=2`));
      await bench.jar.clock.advance('5s');
      const ready = await getVersion(ask, 'n', 1);
      expect(ready.status).toBe('READY');
      expect(ready).not.toHaveProperty('status_message');
    });

    it('a source may be a version of the registry, by number or alias: its files are those of that version', async () => {
      await createVersion(ask, 'm', { source: 's3://bucket/files' });
      await good(ask('POST', `${MODELS}/alias`, { name: 'm', alias: 'best', version: '1' }));
      await createModel(ask, 'n');
      for (const [index, source] of ['models:/m/1', 'models:/m@best', 'models:/n/1'].entries()) {
        expect((await createVersion(ask, 'n', { source })).source).toBe(source);
        const uri = await good(ask('GET', `${VERSIONS}/get-download-uri?name=n&version=${index + 1}`));
        expect(uri).toEqual({ artifact_uri: 's3://bucket/files' });
      }
      const refused = async (source: string) => refusal(await ask('POST', `${VERSIONS}/create`, { name: 'n', source }));
      expect(await refused('models:/m/9')).toMatchObject(RDNE);
      expect(await refused('models:/m@nobody')).toMatchObject(RDNE);
      expect(await refused('models:/x/1')).toMatchObject(RDNE);
      expect(await refused('models:/m/x')).toMatchObject(IPV);
      expect((await createVersion(ask, 'n', { source: 'models:/m-0123' })).source).toBe('models:/m-0123');
    });

    it('aliases move, show at the model and its version, and go with the version', async () => {
      await createVersion(ask, 'm');
      await createVersion(ask, 'm');
      const alias = (name: string, version: string) =>
        good(ask('POST', `${MODELS}/alias`, { name: 'm', alias: name, version }));
      await alias('best', '1');
      await alias('best', '2');
      await alias('first', '1');
      const by = async (name: string) =>
        (await good(ask('GET', `${MODELS}/alias?name=m&alias=${name}`))).model_version.version;
      expect([await by('best'), await by('first')]).toEqual(['2', '1']);
      expect((await getModel(ask, 'm')).aliases).toEqual([
        { alias: 'best', version: '2' },
        { alias: 'first', version: '1' },
      ]);
      expect((await getVersion(ask, 'm', 2)).aliases).toEqual(['best']);
      expect(refusal(await ask('POST', `${MODELS}/alias`, { name: 'm', alias: 'a', version: '9' }))).toMatchObject(
        RDNE,
      );
      await good(ask('DELETE', `${VERSIONS}/delete?name=m&version=2`));
      expect(refusal(await ask('GET', `${MODELS}/alias?name=m&alias=best`))).toEqual({
        ...IPV,
        message: 'Registered model alias best not found.',
      });
      await good(ask('DELETE', `${MODELS}/alias?name=m&alias=first`));
      await good(ask('DELETE', `${MODELS}/alias?name=m&alias=first`));
      expect(await getModel(ask, 'm')).not.toHaveProperty('aliases');
    });

    it('tags are replaced and deleted, at the model and at the version', async () => {
      await createVersion(ask, 'm', {
        tags: [
          { key: 'a', value: '1' },
          { key: 'a', value: '2' },
        ],
      });
      expect((await getVersion(ask, 'm', 1)).tags).toEqual([{ key: 'a', value: '2' }]);
      await good(ask('POST', `${MODELS}/set-tag`, { name: 'm', key: 'b', value: '1' }));
      await good(ask('POST', `${MODELS}/set-tag`, { name: 'm', key: 'b', value: '2' }));
      expect((await getModel(ask, 'm')).tags).toEqual([{ key: 'b', value: '2' }]);
      await good(ask('DELETE', `${MODELS}/delete-tag?name=m&key=b`));
      await good(ask('DELETE', `${VERSIONS}/delete-tag`, { name: 'm', version: '1', key: 'a' }));
      expect(await getModel(ask, 'm')).not.toHaveProperty('tags');
      expect(await getVersion(ask, 'm', 1)).not.toHaveProperty('tags');
    });

    it.each([
      [
        { stage: 'Live', archive_existing_versions: false },
        'Invalid Model Version stage: Live. Value must be one of None, Staging, Production, Archived.',
      ],
      [
        { stage: 'None', archive_existing_versions: true },
        "cannot archive existing model versions because 'None' is not an Active stage. Valid stages are ['Staging', 'Production']",
      ],
      [{ stage: 'archived', archive_existing_versions: 'true' }, "because 'Archived' is not an Active stage"],
      [{ stage: 'Staging' }, "Missing value for required parameter 'archive_existing_versions'."],
      [
        { stage: 'Staging', archive_existing_versions: 'yes' },
        "Invalid value \"yes\" for parameter 'archive_existing_versions' supplied: Hint: Value was of type 'str'.",
      ],
      [{ archive_existing_versions: true }, "Missing value for required parameter 'stage'."],
    ])('a transition to %o is refused', async (sent, message) => {
      await createVersion(ask, 'm');
      for (const path of [VERSIONS, `${ML}/databricks/model-versions`]) {
        const refused = refusal(await ask('POST', `${path}/transition-stage`, { name: 'm', version: '1', ...sent }));
        expect(refused).toMatchObject({ ...IPV, message: expect.stringContaining(message) });
      }
    });

    it('stages are read in any case, and the plain path answers with the plain version', async () => {
      await createVersion(ask, 'm');
      const sent = { name: 'm', version: '1', stage: 'sTAGING', archive_existing_versions: false };
      expect(await good(ask('POST', `${VERSIONS}/transition-stage`, sent))).toEqual({
        model_version: expect.objectContaining({ current_stage: 'Staging' }),
      });
      expect(await good(ask('POST', '//ml/model-versions/transition-stage', { ...sent, stage: 'NONE' }))).toEqual({
        model_version: expect.objectContaining({ current_stage: 'None' }),
      });
      const ajax = await good(ask('GET', '//ajax-api/2.0/mlflow/model-versions/get?name=m&version=1'));
      expect(ajax.model_version.current_stage).toBe('None');
    });
  });

  describe('comments', () => {
    let user: Ask;
    beforeEach(async () => {
      await createModel(ask, 'm');
      await createVersion(ask, 'm');
      user = await person(bench, 'licensed');
      await good(user('GET', '/preview/scim/v2/Me'));
      await share(ask, 'm', 'licensed', 'CAN_READ');
    });

    it('are edited by their author, deleted by the author or a manager, and belong to the activities', async () => {
      const { comment } = await good(
        user('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'one' }),
      );
      expect(comment).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        comment: 'one',
        user_id: 'licensed@vendor.example',
        creation_timestamp: expect.any(Number),
        last_updated_timestamp: expect.any(Number),
        available_actions: ['EDIT_COMMENT', 'DELETE_COMMENT'],
      });
      expect(refusal(await ask('PATCH', `${ML}/comments/update`, { id: comment.id, comment: 'mine' }))).toMatchObject({
        status: 403,
      });
      await bench.jar.clock.advance('1s');
      const { comment: edited } = await good(
        user('PATCH', `${ML}/comments/update`, { id: comment.id, comment: 'two' }),
      );
      expect(edited).toMatchObject({ comment: 'two', last_updated_timestamp: comment.creation_timestamp + 1000 });
      expect(await activitiesOf(ask, 'm', 1)).toMatchObject([
        { id: comment.id, activity_type: 'NEW_COMMENT', comment: 'two' },
      ]);
      const { comment: other } = await good(
        ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'x' }),
      );
      expect(refusal(await user('DELETE', `${ML}/comments/delete?id=${other.id}`))).toMatchObject({ status: 403 });
      await good(ask('DELETE', `${ML}/comments/delete?id=${comment.id}`));
      expect(await activitiesOf(ask, 'm', 1)).toHaveLength(1);
      await share(ask, 'm', 'admin', 'CAN_MANAGE');
      expect(refusal(await user('DELETE', `${ML}/comments/delete?id=${other.id}`))).toMatchObject({ status: 403 });
    });

    it('have up to 65,535 bytes, and are not empty; other activities are no comments', async () => {
      const create = (comment: unknown) => ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment });
      await good(create('a'.repeat(65_535)));
      expect(refusal(await create('ä'.repeat(32_768)))).toMatchObject(IPV);
      expect(refusal(await create(''))).toMatchObject(IPV);
      await good(transition(ask, 'm', 1, 'Staging'));
      const [, applied] = await activitiesOf(ask, 'm', 1);
      expect(refusal(await ask('DELETE', `${ML}/comments/delete?id=${applied.id}`))).toMatchObject(RDNE);
      const page = await good(ask('GET', `${ML}/activities/list?name=m&version=1&max_results=1`));
      expect(page.activities).toHaveLength(1);
      const rest = await good(
        ask('GET', `${ML}/activities/list?name=m&version=1&max_results=1&page_token=${page.next_page_token}`),
      );
      expect(rest.activities).toMatchObject([{ activity_type: 'APPLIED_TRANSITION' }]);
    });
  });

  describe('permissions', () => {
    it('every user creates models until the parent object restricts it, and its permissions apply to every model', async () => {
      const user = await person(bench, 'licensed');
      const own = await createModel(user, 'own');
      expect(own.user_id).toBe('licensed@vendor.example');
      expect((await getModel(user, 'own')).permission_level).toBe('CAN_MANAGE');
      await createModel(ask, 'm');
      const root = '/permissions/registered-models/root';
      expect((await good(ask('GET', root))).access_control_list).toContainEqual({
        group_name: 'users',
        all_permissions: [{ permission_level: 'CAN_CREATE', inherited: false }],
      });
      expect(
        (await good(ask('GET', `${root}/permissionLevels`))).permission_levels.map(
          (each: { permission_level: string }) => each.permission_level,
        ),
      ).toEqual([
        'CAN_CREATE',
        'CAN_READ',
        'CAN_EDIT',
        'CAN_MANAGE_STAGING_VERSIONS',
        'CAN_MANAGE_PRODUCTION_VERSIONS',
        'CAN_MANAGE',
      ]);
      expect(refusal(await user('PUT', root, {}))).toMatchObject({ status: 403 });
      await good(ask('PUT', root, { access_control_list: [] }));
      expect(refusal(await user('POST', `${ML}/registered-models/create`, { name: 'n' }))).toMatchObject({
        status: 403,
      });
      expect(refusal(await user('GET', `${ML}/registered-models/get?name=m`))).toMatchObject({ status: 403 });
      await good(ask('PUT', root, { access_control_list: [{ group_name: 'users', permission_level: 'CAN_EDIT' }] }));
      await createModel(user, 'n');
      await createVersion(user, 'm');
      expect((await getModel(user, 'm')).permission_level).toBe('CAN_EDIT');
      const { id } = await getModel(ask, 'm');
      expect((await good(ask('GET', `/permissions/registered-models/${id}`))).access_control_list).toContainEqual({
        group_name: 'users',
        all_permissions: [
          { permission_level: 'CAN_EDIT', inherited: true, inherited_from_object: ['/registered-models/root'] },
        ],
      });
      const create = { access_control_list: [{ group_name: 'users', permission_level: 'CAN_CREATE' }] };
      expect(refusal(await ask('PUT', `/permissions/registered-models/${id}`, create))).toMatchObject(IPV);
    });

    it('models, comments and webhooks of another workspace do not exist', async () => {
      await createModel(ask, 'm');
      await createVersion(ask, 'm');
      const { comment } = await good(ask('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'c' }));
      const events = ['COMMENT_CREATED'];
      const spec = { url: 'https://hook.example/' };
      const { webhook } = await good(ask('POST', `${ML}/registry-webhooks/create`, { events, http_url_spec: spec }));
      const made = await good(
        ask('POST', `/api/2.0/accounts/${ACCOUNT}/workspaces`, { workspace_name: 'second' }),
        200,
        201,
      );
      const headers = { 'x-databricks-org-id': String(made.workspace_id) };
      const there: Ask = (method, path, body) => ask(method, path, body, headers);
      expect(refusal(await there('GET', `${ML}/registered-models/get?name=m`))).toMatchObject(RDNE);
      expect(refusal(await there('DELETE', `${ML}/comments/delete?id=${comment.id}`))).toMatchObject(RDNE);
      expect(refusal(await there('GET', `${ML}/registry-webhooks/get?id=${webhook.id}`))).toMatchObject(RDNE);
      expect(await good(there('GET', `${ML}/registered-models/search`))).toEqual({});
      expect(await good(there('GET', `${ML}/model-versions/search`))).toEqual({});
      expect(await good(there('GET', `${ML}/registry-webhooks/list`))).toEqual({});
      await createModel(there, 'm');
      expect(await getModel(there, 'm')).not.toHaveProperty('latest_versions');
    });
  });

  describe('webhooks', () => {
    const URL_SPEC = { http_url_spec: { url: 'https://hook.example/' } };
    const JOB_SPEC = { job_spec: { job_id: '1', access_token: 't' } };
    const EVENTS = { events: ['COMMENT_CREATED'] };

    it.each([
      [{ ...URL_SPEC }, "Missing value for required parameter 'events'."],
      [{ ...URL_SPEC, events: [] }, 'at least one event'],
      [{ ...URL_SPEC, events: ['NOTHING'] }, "Invalid webhook event 'NOTHING'"],
      [{ ...EVENTS }, 'needs an http_url_spec or a job_spec'],
      [{ ...EVENTS, ...URL_SPEC, ...JOB_SPEC }, 'not both'],
      [{ ...EVENTS, http_url_spec: {} }, "Missing value for required parameter 'http_url_spec.url'."],
      [{ ...EVENTS, http_url_spec: { url: 'http://hook.example/' } }, 'begins with https://'],
      [{ ...EVENTS, http_url_spec: { url: 'hook' } }, 'begins with https://'],
      [
        { ...EVENTS, http_url_spec: { url: 'https://hook.example/', authorization: 'a\r\nb: c' } },
        'printable ASCII characters',
      ],
      [{ ...EVENTS, http_url_spec: 'x' }, 'Invalid value "x" for parameter \'http_url_spec\' supplied'],
      [{ ...EVENTS, job_spec: { access_token: 't' } }, "Missing value for required parameter 'job_spec.job_id'."],
      [{ ...EVENTS, job_spec: { job_id: '1' } }, "Missing value for required parameter 'job_spec.access_token'."],
      [{ ...EVENTS, job_spec: { job_id: 'one', access_token: 't' } }, 'must be the id of a job'],
      [{ ...EVENTS, job_spec: { job_id: '1', access_token: 't', workspace_url: 'ftp://x' } }, 'begins with https://'],
      [{ ...EVENTS, ...URL_SPEC, status: 'ON' }, 'Valid statuses are ACTIVE, DISABLED, TEST_MODE.'],
      [{ ...URL_SPEC, events: ['REGISTERED_MODEL_CREATED'], model_name: 'm' }, 'registry-wide webhook'],
    ])('%o is refused', async (sent, message) => {
      await createModel(ask, 'm');
      const refused = refusal(await ask('POST', `${ML}/registry-webhooks/create`, sent));
      expect(refused).toMatchObject({ ...IPV, message: expect.stringContaining(message) });
    });

    it('webhooks of all models are for administrators; webhooks of a model require the model', async () => {
      const user = await person(bench, 'licensed');
      const path = `${ML}/registry-webhooks/create`;
      expect(refusal(await user('POST', path, { ...EVENTS, ...URL_SPEC }))).toMatchObject({ status: 403 });
      await createModel(user, 'own');
      await good(user('POST', path, { ...EVENTS, ...URL_SPEC, model_name: 'own' }));
      expect(refusal(await ask('POST', path, { ...EVENTS, ...URL_SPEC, model_name: 'x' }))).toMatchObject(RDNE);
      for (const [method, verb] of [
        ['GET', 'get'],
        ['DELETE', 'delete'],
      ] as const)
        expect(refusal(await ask(method, `${ML}/registry-webhooks/${verb}?id=x`))).toMatchObject(RDNE);
    });

    it('a change of a target to the other kind needs all of it; events of a model stay those of a model', async () => {
      await createModel(ask, 'm');
      const path = `${ML}/registry-webhooks`;
      const { webhook } = await good(
        ask('POST', `${path}/create`, { ...EVENTS, ...URL_SPEC, model_name: 'm', description: 'd' }),
      );
      const update = (sent: object) => ask('PATCH', `${path}/update`, { id: webhook.id, ...sent });
      expect(refusal(await update({ job_spec: { job_id: '1' } }))).toMatchObject(IPV);
      expect(refusal(await update({ events: ['REGISTERED_MODEL_CREATED'] }))).toMatchObject(IPV);
      expect(refusal(await update({ ...URL_SPEC, ...JOB_SPEC }))).toMatchObject(IPV);
      const { webhook: changed } = await good(
        update({ ...JOB_SPEC, events: ['MODEL_VERSION_CREATED', 'MODEL_VERSION_CREATED'] }),
      );
      expect(changed).toMatchObject({ job_spec: { job_id: '1' }, events: ['MODEL_VERSION_CREATED'], description: 'd' });
      expect(changed).not.toHaveProperty('http_url_spec');
    });
  });
});
