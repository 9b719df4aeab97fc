import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { granting, people, UC } from '../catalog/people.ts';
import { type Ask, by, good, REAL_TIMES, refusal } from '../support.ts';
import { entity, makeModels, PATH } from './support.ts';

onBothStores(
  'data platform: the models behind serving endpoints',
  (bench) => {
    it('a model has to exist, with its version, and its user has to be allowed to use it', async () => {
      const given = await people(bench);
      const { ask, other } = given;
      await makeModels(ask);
      let made = 0;
      const create = async (rest: object, who: Ask = ask) =>
        refusal(
          await who('POST', PATH, { name: `e${made++}`, config: { served_entities: [{ ...entity('a'), ...rest }] } }),
        );
      const missing = (message: RegExp) => ({
        status: 404,
        code: 'RESOURCE_DOES_NOT_EXIST',
        message: expect.stringMatching(message),
      });
      const cases: readonly [object, object][] = [
        [{}, { status: 200 }],
        [{ entity_name: 'MAIN.default.Churn', entity_version: '2' }, { status: 200 }],
        [{ entity_name: 'm' }, { status: 200 }],
        [{ entity_name: 'system.ai.llama' }, { status: 200 }],
        [{ entity_name: 'main.default.none' }, missing(/RegisteredModel 'main.default.none' does not exist/)],
        [{ entity_name: 'nowhere.default.churn' }, missing(/RegisteredModel 'nowhere.default.churn' does not exist/)],
        [{ entity_version: '9' }, missing(/ModelVersion 'main.default.churn\/9' does not exist/)],
        [{ entity_version: 'one' }, missing(/ModelVersion 'main.default.churn\/one' does not exist/)],
        [{ entity_name: 'none' }, missing(/RegisteredModel 'none' does not exist/)],
        [{ entity_name: 'm', entity_version: '3' }, missing(/Model Version \(name=m, version=3\) not found/)],
      ];
      for (const [sent, seen] of cases) expect(await create(sent), JSON.stringify(sent)).toMatchObject(seen);
      const { endpoints } = await good(ask('GET', PATH));
      expect(endpoints).toHaveLength(4);
      expect(await create({}, other)).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
      await granting(given, 'catalog', 'main', ['USE_CATALOG', 'USE_SCHEMA']);
      expect(await create({}, other)).toMatchObject({ status: 403, message: expect.stringContaining('EXECUTE') });
      await granting(given, 'function', 'main.default.churn', ['EXECUTE']);
      expect(await create({}, other)).toMatchObject({ status: 200 });
      await bench.jar.clock.advance('5m');
      const wrong = await ask('PUT', `${PATH}/e0/config`, { served_entities: [entity('a', { entity_version: '9' })] });
      expect(refusal(wrong)).toMatchObject(missing(/main.default.churn\/9/));
      expect((await good(ask('GET', `${PATH}/e0`))).state).toEqual({
        ready: 'READY',
        config_update: 'NOT_UPDATING',
      });
      const stranger = by(bench, await bench.jar.token({ user: 'other', ttl: '1d' }));
      expect(await create({}, stranger)).toMatchObject({ status: 404 });
    });

    it('a deployment fails where the model, its version or the right to use it is gone, or the version is not ready', async () => {
      const given = await people(bench);
      const { ask, other } = given;
      await makeModels(ask);
      await good(
        ask('POST', '/mlflow/unity-catalog/model-versions/create', { name: 'main.default.m', source: 'dbfs:/models' }),
      );
      await granting(given, 'catalog', 'main', ['USE_CATALOG', 'USE_SCHEMA', 'EXECUTE']);
      const serve = (name: string, rest: object, who: Ask = ask) =>
        good(who('POST', PATH, { name, config: { served_entities: [{ ...entity('a'), ...rest }] } }));
      await serve('version', {});
      await serve('model', { entity_name: 'm' });
      await serve('right', { entity_name: 'main.default.m' }, other);
      await serve('ready', { entity_name: 'main.default.m', entity_version: '3' });
      await serve('fine', { entity_name: 'main.default.m' });
      await good(ask('DELETE', `${UC}/models/main.default.churn/versions/1`));
      await good(ask('DELETE', '/mlflow/registered-models/delete', { name: 'm' }));
      const changes = [{ principal: given.user, remove: ['EXECUTE'] }];
      await good(ask('PATCH', `${UC}/permissions/catalog/main`, { changes }));
      await bench.jar.clock.advance('5m');
      const messageOf = async (name: string) => {
        const { config, pending_config: pending } = await good(ask('GET', `${PATH}/${name}`));
        return (pending ?? config).served_entities[0].state.deployment_state_message;
      };
      expect(await messageOf('version')).toBe('Version 1 of the model main.default.churn does not exist any more.');
      expect(await messageOf('model')).toBe('The model m does not exist any more.');
      expect(await messageOf('right')).toBe('The creator of the entity may not use the model main.default.m.');
      expect(await messageOf('ready')).toContain('is not ready: it is PENDING_REGISTRATION');
      expect(await messageOf('fine')).toBe('');
    });
  },
  REAL_TIMES,
);
