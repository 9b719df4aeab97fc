import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, REAL_TIMES, refusal, withoutRates } from '../support.ts';
import {
  createPipeline,
  getPipeline,
  getUpdate,
  ORDERS,
  PIPELINES,
  scripted,
  settings,
  startUpdate,
} from './support.ts';

onAnyStore(
  'data platform: facts about pipelines (E22): pipelines',
  (bench) => {
    let ask: Ask;
    const advance = (by: string) => bench.jar.clock.advance(by);

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const invalid = (message: string) => ({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: expect.stringContaining(message),
    });

    describe('list', () => {
      const names = async (query: string): Promise<string[]> =>
        (await good(ask('GET', `${PIPELINES}?${query}`))).statuses.map(({ name }: { name: string }) => name);
      const filtered = (filter: string) => `order_by=name&filter=${encodeURIComponent(filter)}`;

      beforeEach(async () => {
        for (const name of ['a_shopping_b', 'Shopping', 'x%y', 'xzy'])
          await createPipeline(ask, { name, libraries: [{ notebook: { path: `/Shared/${name}` } }] });
      });

      it.each<[string, string[]]>([
        ["name LIKE '%shopping%'", ['a_shopping_b']],
        ["name like '%hopping'", ['Shopping']],
        ["name LIKE 'a%b'", ['a_shopping_b']],
        ["name LIKE 'x_y'", ['x%y', 'xzy']],
        ["name LIKE 'x\\%y'", ['x%y']],
        ["name LIKE 'Shop'", []],
        ["notebook='/Shared/xzy'", ['xzy']],
        ["notebook = '/Shared/none'", []],
      ])('%s', async (filter, expected) => expect(await names(filtered(filter))).toEqual(expected));

      it.each([
        "name LIKE 'a' AND notebook='b'",
        "state='IDLE'",
        'name',
        "name LIKE 'a",
        'name LIKE a',
        "name > 'a'",
        '§',
      ])('refuses the filter %s', async (filter) => {
        expect(refusal(await ask('GET', `${PIPELINES}?${filtered(filter)}`))).toMatchObject(invalid('Invalid filter'));
      });

      it('orders by name or id, and pages by a token that carries filter and order', async () => {
        expect(await names('order_by=name%20desc')).toEqual(['xzy', 'x%y', 'a_shopping_b', 'Shopping']);
        const ids = async (query: string) =>
          (await good(ask('GET', `${PIPELINES}?${query}`))).statuses.map(
            (each: { pipeline_id: string }) => each.pipeline_id,
          );
        const all = await ids('');
        expect(all).toEqual(all.toSorted());
        expect(await ids('order_by=id%20desc')).toEqual(all.toReversed());
        const seen: string[] = [];
        let token: string | undefined;
        do {
          const query =
            token === undefined ? `max_results=1&${filtered("name LIKE 'x_y'")}` : `max_results=1&page_token=${token}`;
          const page = await good(ask('GET', `${PIPELINES}?${query}`));
          seen.push(...page.statuses.map(({ name }: { name: string }) => name));
          token = page.next_page_token;
        } while (token !== undefined);
        expect(seen).toEqual(['x%y', 'xzy']);
      });

      it.each([
        'max_results=101',
        'max_results=-1',
        'max_results=x',
        'order_by=state',
        'order_by=name%20up',
        'page_token=x',
      ])('refuses %s', async (query) =>
        expect(refusal(await ask('GET', `${PIPELINES}?${query}`))).toMatchObject(invalid('')),
      );
    });

    describe('get, replace, delete', () => {
      it('an unknown pipeline or update is not found', async () => {
        const id = await createPipeline(ask, settings('known'));
        for (const [method, path, text] of [
          ['GET', '/x', 'The specified pipeline x was not found.'],
          ['PUT', '/x', 'The specified pipeline x was not found.'],
          ['DELETE', '/x', 'The specified pipeline x was not found.'],
          ['POST', '/x/updates', 'The specified pipeline x was not found.'],
          ['POST', '/x/stop', 'The specified pipeline x was not found.'],
          ['GET', '/x/events', 'The specified pipeline x was not found.'],
          ['POST', '/x/clone', 'The specified pipeline x was not found.'],
          ['POST', '/x/restore', 'The specified pipeline x was not found.'],
          ['GET', `/${id}/updates/u`, 'The specified update u was not found.'],
          ['GET', `/${id}/updates?until_update_id=u`, 'The specified update u was not found.'],
        ] as const)
          expect(refusal(await ask(method, `${PIPELINES}${path}`, method === 'GET' ? undefined : {}))).toEqual({
            status: 404,
            code: 'RESOURCE_DOES_NOT_EXIST',
            message: text,
          });
      });

      it('PUT replaces all settings; expected_last_modified guards it', async () => {
        const id = await createPipeline(ask, settings('a', { photon: true, tags: { a: 'b' } }));
        const { last_modified: first } = await getPipeline(ask, id);
        expect(first).toBe(bench.jar.clock.now().valueOf());
        await good(ask('PUT', `${PIPELINES}/${id}`, { name: 'b', expected_last_modified: first }));
        const { spec, name, last_modified: second } = await getPipeline(ask, id);
        expect([name, spec.photon, spec.tags, spec.libraries]).toEqual(['b', false, undefined, undefined]);
        expect(second).toBeGreaterThan(first);
        const stale = await ask('PUT', `${PIPELINES}/${id}`, { name: 'c', expected_last_modified: first });
        expect(refusal(stale)).toMatchObject({ status: 409, code: 'RESOURCE_CONFLICT' });
        await createPipeline(ask, settings('taken'));
        expect(refusal(await ask('PUT', `${PIPELINES}/${id}`, { name: 'taken' }))).toMatchObject({ status: 409 });
      });

      it('a deleted pipeline can be restored for 30 days, with its updates', async () => {
        const id = await createPipeline(ask, scripted('gone', 'sleep 100000'));
        const update = await startUpdate(ask, id);
        await good(ask('DELETE', `${PIPELINES}/${id}?cascade=false&force=true`));
        expect((await ask('GET', `${PIPELINES}/${id}`)).status).toBe(404);
        await advance('29d');
        await good(ask('POST', `${PIPELINES}/${id}/restore`));
        expect(await getPipeline(ask, id)).toMatchObject({ state: 'IDLE', latest_updates: [{ update_id: update }] });
        expect(await getUpdate(ask, id, update)).toMatchObject({ state: 'CANCELED' });
        expect(refusal(await ask('POST', `${PIPELINES}/${id}/restore`))).toMatchObject({ code: 'INVALID_STATE' });
        await good(ask('DELETE', `${PIPELINES}/${id}`));
        await advance('31d');
        expect((await ask('POST', `${PIPELINES}/${id}/restore`)).status).toBe(404);
      });

      it('a clone publishes to a catalog and has the other settings of its origin', async () => {
        const id = await createPipeline(ask, settings('origin', { target: 'sales', storage: '/x', photon: true }));
        const clone = `${PIPELINES}/${id}/clone`;
        expect(refusal(await ask('POST', clone, {}))).toMatchObject(invalid('Missing required field: catalog'));
        const { pipeline_id: made } = await good(ask('POST', clone, { catalog: 'main', name: 'copy' }));
        expect((await getPipeline(ask, made)).spec).toMatchObject({
          name: 'copy',
          catalog: 'main',
          target: 'sales',
          photon: true,
          libraries: [{ notebook: { path: ORDERS } }],
        });
        expect((await getPipeline(ask, made)).spec).not.toHaveProperty('storage');
        expect(refusal(await ask('POST', `${PIPELINES}/${made}/clone`, { catalog: 'x' }))).toMatchObject(
          invalid('only a pipeline without one'),
        );
      });

      it('applying the environment is an event', async () => {
        const id = await createPipeline(ask, settings('e', { environment: { dependencies: ['a==1'] } }));
        expect(await good(ask('POST', `${PIPELINES}/${id}/environment/apply`))).toEqual({});
        const { events } = await good(ask('GET', `${PIPELINES}/${id}/events`));
        expect(events[0]).toMatchObject({
          event_type: 'user_action',
          message: 'The environment of the pipeline was applied.',
        });
      });
    });

    describe('permissions', () => {
      it('levels are CAN_VIEW, CAN_RUN, IS_OWNER and CAN_MANAGE, and each allows what it says', async () => {
        const id = await createPipeline(ask, scripted('guarded', 'sleep 100000'));
        const licensed = await person(bench, 'licensed');
        const give = (permission_level: string) =>
          good(
            ask('PATCH', `/permissions/pipelines/${id}`, {
              access_control_list: [{ user_name: 'licensed@vendor.example', permission_level }],
            }),
          );
        const status = async (method: string, path: string, body?: object) =>
          (await licensed(method, `${PIPELINES}/${id}${path}`, body)).status;
        const can = async () => [
          await status('GET', ''),
          await status('GET', '/events'),
          await status('POST', '/stop'),
          await status('POST', '/updates', {}),
          await status('PUT', '', scripted('guarded', 'sleep 100000')),
        ];
        expect(await can()).toEqual([403, 403, 403, 403, 403]);
        expect((await good(licensed('GET', PIPELINES))).statuses).toEqual([]);
        await give('CAN_VIEW');
        expect(await can()).toEqual([200, 200, 403, 403, 403]);
        expect((await good(licensed('GET', PIPELINES))).statuses).toHaveLength(1);
        await give('CAN_RUN');
        expect(await can()).toEqual([200, 200, 200, 200, 403]);
        await advance('1m');
        await good(licensed('POST', `${PIPELINES}/${id}/stop`));
        await advance('1m');
        await give('CAN_MANAGE');
        expect(await can()).toEqual([200, 200, 200, 200, 200]);
        const levels = await good(ask('GET', `/permissions/pipelines/${id}/permissionLevels`));
        expect(levels.permission_levels.map((each: { permission_level: string }) => each.permission_level)).toEqual([
          'CAN_VIEW',
          'CAN_RUN',
          'IS_OWNER',
          'CAN_MANAGE',
        ]);
        expect(await status('DELETE', '')).toBe(200);
      });

      it('there is exactly one owner, as which updates act unless run_as is set', async () => {
        const id = await createPipeline(ask, settings('owned'));
        expect(refusal(await ask('PUT', `/permissions/pipelines/${id}`, { access_control_list: [] }))).toMatchObject(
          invalid('The pipeline must have exactly one owner.'),
        );
        const owner = { user_name: 'licensed@vendor.example', permission_level: 'IS_OWNER' };
        await good(ask('PUT', `/permissions/pipelines/${id}`, { access_control_list: [owner] }));
        expect(await getPipeline(ask, id)).toMatchObject({
          creator_user_name: 'admin@vendor.example',
          run_as_user_name: 'licensed@vendor.example',
        });
        const run_as = { user_name: 'admin@vendor.example' };
        await good(ask('PUT', `${PIPELINES}/${id}`, { ...settings('owned'), run_as }));
        expect(await getPipeline(ask, id)).toMatchObject({ run_as_user_name: 'admin@vendor.example', run_as });
        const licensed = await person(bench, 'licensed');
        expect(refusal(await licensed('POST', PIPELINES, { ...settings('x'), run_as }))).toMatchObject({ status: 403 });
      });
    });
  },
  REAL_TIMES,
);
