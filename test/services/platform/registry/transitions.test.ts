import { beforeEach, describe, expect, it } from 'vitest';
import { STAGES } from '../../../../src/services/platform/registry/stages.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';
import { activitiesOf, createModel, createVersion, getModel, getVersion, ML, share, transition } from './support.ts';

const LEVELS = [
  'CAN_READ',
  'CAN_EDIT',
  'CAN_MANAGE_STAGING_VERSIONS',
  'CAN_MANAGE_PRODUCTION_VERSIONS',
  'CAN_MANAGE',
] as const;

/** The required level of each transition, written by hand: from the row to the column. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, (typeof LEVELS)[number]>>>> = {
  None: { None: LEVELS[2], Staging: LEVELS[2], Production: LEVELS[3], Archived: LEVELS[2] },
  Staging: { None: LEVELS[2], Staging: LEVELS[2], Production: LEVELS[3], Archived: LEVELS[2] },
  Production: { None: LEVELS[3], Staging: LEVELS[3], Production: LEVELS[3], Archived: LEVELS[3] },
  Archived: { None: LEVELS[2], Staging: LEVELS[2], Production: LEVELS[3], Archived: LEVELS[2] },
};

const WAYS = STAGES.flatMap((from) => STAGES.map((to) => [from, to] as const));

onAnyStore('data platform: stages of model versions', (bench) => {
  let admin: Ask;
  let user: Ask;
  /** Each level has a separate workspace, created with its first test. */
  let prepared = '';

  describe.each(LEVELS)('with %s', (level) => {
    const may = (from: string, to: string): boolean =>
      LEVELS.indexOf(level) >= LEVELS.indexOf(NEEDED[from]?.[to] as (typeof LEVELS)[number]);

    beforeEach(async () => {
      if (prepared === level) return;
      prepared = level;
      await bench.jar.reset();
      await withoutRates(bench);
      admin = await person(bench);
      user = await person(bench, 'licensed');
      await good(user('GET', '/preview/scim/v2/Me'));
      await createModel(admin, 'm');
      await createVersion(admin, 'm');
      await share(admin, 'm', 'licensed', level);
    });

    it.each(WAYS)('from %s to %s: directly, and by deciding about a request', async (from, to) => {
      const { version } = await createVersion(admin, 'm');
      await good(transition(admin, 'm', version, from));
      const direct = await transition(user, 'm', version, to);
      expect(direct.status, direct.text).toBe(may(from, to) ? 200 : 403);
      expect((await getVersion(admin, 'm', version)).current_stage).toBe(may(from, to) ? to : from);

      await good(transition(admin, 'm', version, from));
      const about = { name: 'm', version, stage: to };
      // Every reader may request it.
      const { request } = await good(user('POST', `${ML}/transition-requests/create`, about));
      expect(request.available_actions.includes('APPROVE_TRANSITION_REQUEST')).toBe(may(from, to));
      const rejected = await user('POST', `${ML}/transition-requests/reject`, about);
      expect(rejected.status, rejected.text).toBe(may(from, to) ? 200 : 403);
      if (rejected.status === 403) await good(admin('POST', `${ML}/transition-requests/reject`, about));
      expect((await getVersion(admin, 'm', version)).current_stage).toBe(from);

      await good(user('POST', `${ML}/transition-requests/create`, about));
      const approval = { ...about, archive_existing_versions: false };
      const approved = await user('POST', `${ML}/transition-requests/approve`, approval);
      expect(approved.status, approved.text).toBe(may(from, to) ? 200 : 403);
      expect((await getVersion(admin, 'm', version)).current_stage).toBe(may(from, to) ? to : from);
    });

    it.each([
      ['read the model', 'CAN_READ', () => user('GET', `${ML}/registered-models/get?name=m`)],
      ['comment', 'CAN_READ', () => user('POST', `${ML}/comments/create`, { name: 'm', version: '1', comment: 'c' })],
      [
        'change the description',
        'CAN_EDIT',
        () => user('PATCH', `${ML}/registered-models/update`, { name: 'm', description: 'd' }),
      ],
      ['create a version', 'CAN_EDIT', () => user('POST', `${ML}/model-versions/create`, { name: 'm', source: 's' })],
      [
        'change a version',
        'CAN_EDIT',
        () => user('PATCH', `${ML}/model-versions/update`, { name: 'm', version: '1', description: 'd' }),
      ],
      [
        'set a tag',
        'CAN_EDIT',
        () => user('POST', `${ML}/registered-models/set-tag`, { name: 'm', key: 'k', value: 'v' }),
      ],
      [
        'set a tag of a version',
        'CAN_EDIT',
        () => user('POST', `${ML}/model-versions/set-tag`, { name: 'm', version: '1', key: 'k', value: 'v' }),
      ],
      ['delete a tag', 'CAN_EDIT', () => user('DELETE', `${ML}/registered-models/delete-tag?name=m&key=k`)],
      [
        'delete a tag of a version',
        'CAN_EDIT',
        () => user('DELETE', `${ML}/model-versions/delete-tag?name=m&version=1&key=k`),
      ],
      [
        'set an alias',
        'CAN_EDIT',
        () => user('POST', `${ML}/registered-models/alias`, { name: 'm', alias: 'a', version: '1' }),
      ],
      ['delete an alias', 'CAN_EDIT', () => user('DELETE', `${ML}/registered-models/alias?name=m&alias=a`)],
      ['rename', 'CAN_MANAGE', () => user('POST', `${ML}/registered-models/rename`, { name: 'm', new_name: 'm' })],
      ['delete a version', 'CAN_MANAGE', () => user('DELETE', `${ML}/model-versions/delete?name=m&version=999`)],
      ['make a webhook', 'CAN_MANAGE', () => user('POST', `${ML}/registry-webhooks/create`, { model_name: 'm' })],
      [
        'share',
        'CAN_MANAGE',
        async () => user('PATCH', `/permissions/registered-models/${(await getModel(admin, 'm')).id}`, {}),
      ],
    ] as const)('%s needs %s', async (_what, needed, act) => {
      const { status, text } = await act();
      const isRefused = LEVELS.indexOf(level) < LEVELS.indexOf(needed);
      expect(status === 403, text).toBe(isRefused);
      expect(isRefused ? text : needed).toContain(needed);
    });

    it('shows callers their level', async () => {
      expect((await getModel(user, 'm')).permission_level).toBe(level);
    });
  });
});

onAnyStore('data platform: transitions and what is recorded of them', (bench) => {
  let ask: Ask;
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    await createModel(ask, 'm');
    for (let i = 0; i < 3; i++) await createVersion(ask, 'm');
  });

  const stages = async () =>
    Promise.all(['1', '2', '3'].map(async (version) => (await getVersion(ask, 'm', version)).current_stage));
  const latest = async () =>
    Object.fromEntries(
      ((await getModel(ask, 'm')).latest_versions ?? []).map((each: { current_stage: string; version: string }) => [
        each.current_stage,
        each.version,
      ]),
    );

  it('archive_existing_versions archives what is in the stage, records it as done by the system, and nothing else', async () => {
    await good(transition(ask, 'm', 1, 'Staging'));
    await good(transition(ask, 'm', 2, 'Staging'));
    expect(await stages()).toEqual(['Staging', 'Staging', 'None']);
    expect(await latest()).toEqual({ Staging: '2', None: '3' });
    await good(transition(ask, 'm', 3, 'Staging', true, { comment: 'newest' }));
    expect(await stages()).toEqual(['Archived', 'Archived', 'Staging']);
    expect(await latest()).toEqual({ Staging: '3', Archived: '2' });
    expect(await activitiesOf(ask, 'm', 1)).toMatchObject([
      { activity_type: 'APPLIED_TRANSITION', from_stage: 'None', to_stage: 'Staging' },
      {
        activity_type: 'SYSTEM_TRANSITION',
        from_stage: 'Staging',
        to_stage: 'Archived',
        system_comment: 'Archived because version 3 was transitioned to Staging.',
      },
    ]);
    expect(await activitiesOf(ask, 'm', 3)).toMatchObject([
      { activity_type: 'APPLIED_TRANSITION', from_stage: 'None', to_stage: 'Staging', comment: 'newest' },
    ]);
  });

  it('the newest version of a stage follows transitions and deletions in both directions', async () => {
    for (const version of [1, 2, 3]) await good(transition(ask, 'm', version, 'Archived'));
    expect(await latest()).toEqual({ Archived: '3' });
    await good(ask('DELETE', `${ML}/model-versions/delete?name=m&version=3`));
    expect(await latest()).toEqual({ Archived: '2' });
    await good(transition(ask, 'm', 2, 'None'));
    expect(await latest()).toEqual({ Archived: '1', None: '2' });
    await good(ask('DELETE', `${ML}/model-versions/delete`, { name: 'm', version: '1' }));
    expect(await latest()).toEqual({ None: '2' });
    const of = async (query: string) =>
      ((await good(ask('GET', `${ML}/registered-models/get-latest-versions?name=m${query}`))).model_versions ?? []).map(
        ({ version }: { version: string }) => version,
      );
    expect(await of('')).toEqual(['2']);
    expect(await of('&stages=none&stages=STAGING')).toEqual(['2']);
    expect(await of('&stages=Archived')).toEqual([]);
    expect(refusal(await ask('GET', `${ML}/registered-models/get-latest-versions?name=m&stages=Live`))).toMatchObject({
      status: 400,
      message: 'Invalid Model Version stage: Live. Value must be one of None, Staging, Production, Archived.',
    });
  });

  it('an approval closes every request for the stage but not for other stages; a rejection leaves the version in its stage', async () => {
    const user = await person(bench, 'licensed');
    await good(user('GET', '/preview/scim/v2/Me'));
    await share(ask, 'm', 'licensed', 'CAN_READ');
    const about = (stage: string) => ({ name: 'm', version: '1', stage });
    for (const who of [ask, user])
      for (const stage of ['Staging', 'Production'])
        await good(who('POST', `${ML}/transition-requests/create`, about(stage)));
    expect(refusal(await user('POST', `${ML}/transition-requests/create`, about('staging')))).toMatchObject({
      status: 400,
      code: 'RESOURCE_ALREADY_EXISTS',
    });
    const open = async () =>
      ((await good(ask('GET', `${ML}/transition-requests/list?name=m&version=1`))).requests ?? []).map(
        (each: { user_id: string; to_stage: string }) => `${each.user_id.split('@')[0]} ${each.to_stage}`,
      );
    expect(await open()).toEqual(['admin Staging', 'admin Production', 'licensed Staging', 'licensed Production']);
    const moved = await good(transition(ask, 'm', 1, 'Archived'));
    expect(moved.model_version_databricks.open_requests).toHaveLength(4);
    await good(
      ask('POST', `${ML}/transition-requests/approve`, { ...about('Staging'), archive_existing_versions: true }),
    );
    expect(await open()).toEqual(['admin Production', 'licensed Production']);
    await good(ask('POST', `${ML}/transition-requests/reject`, { ...about('Production'), comment: 'too soon' }));
    expect(await open()).toEqual([]);
    expect(await stages()).toEqual(['Staging', 'None', 'None']);
    expect(refusal(await ask('POST', `${ML}/transition-requests/reject`, about('Production')))).toMatchObject({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
    });
    const types = (await activitiesOf(ask, 'm', 1)).map((each: { activity_type: string }) => each.activity_type);
    expect(types).toEqual([
      ...Array(4).fill('REQUESTED_TRANSITION'),
      'APPLIED_TRANSITION',
      'APPROVED_REQUEST',
      'APPLIED_TRANSITION',
      'REJECTED_REQUEST',
    ]);
  });

  it('a request is cancelled by its creator, or by a manager of the model', async () => {
    const user = await person(bench, 'licensed');
    await good(user('GET', '/preview/scim/v2/Me'));
    await share(ask, 'm', 'licensed', 'CAN_MANAGE_PRODUCTION_VERSIONS');
    const path = (creator: string) =>
      `${ML}/transition-requests/delete?name=m&version=1&stage=Staging&creator=${creator}@vendor.example&comment=never+mind`;
    await good(ask('POST', `${ML}/transition-requests/create`, { name: 'm', version: '1', stage: 'Staging' }));
    expect(refusal(await user('DELETE', path('admin')))).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
    expect(refusal(await user('DELETE', path('licensed')))).toMatchObject({ status: 404 });
    expect((await good(ask('DELETE', path('admin')))).activity).toMatchObject({
      activity_type: 'CANCELLED_REQUEST',
      comment: 'never mind',
    });
    await good(user('POST', `${ML}/transition-requests/create`, { name: 'm', version: '1', stage: 'Staging' }));
    await good(ask('DELETE', path('licensed')));
    expect((await good(ask('GET', `${ML}/transition-requests/list?name=m&version=1`))).requests).toBeUndefined();
  });
});
