import { afterAll, beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';
import {
  ACCOUNT_BODY,
  type Ask,
  CONSUMER,
  giver,
  good,
  makeAccounts,
  PROVIDER,
  SHARE,
  SOURCE,
  StorageFolder,
  TAKEN,
  TARGET,
  taker,
} from './support.ts';

const folder = await StorageFolder.make();
afterAll(() => folder.remove());

const SCHEDULE = {
  kind: 'ScheduleBased',
  properties: { recurrenceInterval: 'Day', synchronizationTime: '2026-03-01T06:00:00Z' },
};

onBothStores(
  'data sharing',
  (bench) => {
    let give: Ask;
    let take: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      [give, take] = [await giver(bench), await taker(bench)];
      await makeAccounts(give, take);
    });

    it('speaks with the provider prefix of the caller in every header and body', async () => {
      const alias = (path: string): string => path.replace('Vendor.DataShare', 'Microsoft.DataShare');
      const foreign: string[] = [];
      const ask = async (who: Ask, method: string, path: string, body?: unknown) => {
        const reply = await who(method, alias(path), body);
        if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.text}`);
        const said = [...reply.headers].map(([name, value]) => `${name}: ${value}`).concat(reply.text);
        for (const each of said) if (each.includes('Vendor.DataShare')) foreign.push(`${method} ${path}: ${each}`);
        return reply.body;
      };
      await ask(give, 'PUT', `${PROVIDER}2`, ACCOUNT_BODY);
      await ask(give, 'DELETE', `${PROVIDER}2`);
      await ask(give, 'PUT', SHARE, {});
      const dataSet = { kind: 'Container', properties: { ...SOURCE, containerName: 'data' } };
      const { dataSetId } = (await ask(give, 'PUT', `${SHARE}/dataSets/all`, dataSet)).properties;
      const invitation = { properties: { targetEmail: 'other@other.example' } };
      const { invitationId } = (await ask(give, 'PUT', `${SHARE}/invitations/otto`, invitation)).properties;
      await ask(give, 'PUT', `${SHARE}/synchronizationSettings/daily`, SCHEDULE);
      await ask(take, 'GET', '/providers/Vendor.DataShare/listInvitations');
      await ask(take, 'PUT', TAKEN, { properties: { invitationId, sourceShareLocation: 'eastus' } });
      const mapping = { kind: 'Container', properties: { ...TARGET, dataSetId, containerName: 'copies' } };
      await ask(take, 'PUT', `${TAKEN}/dataSetMappings/all`, mapping);
      await ask(take, 'PUT', `${TAKEN}/triggers/daily`, SCHEDULE);
      await ask(take, 'GET', `${TAKEN}/consumerSourceDataSets`);
      await ask(take, 'POST', `${TAKEN}/synchronize`);
      const [consumer] = (await ask(give, 'GET', `${SHARE}/providerShareSubscriptions`)).value;
      await ask(give, 'POST', `${SHARE}/providerShareSubscriptions/${consumer.name}/revoke`);
      for (const list of ['dataSets', 'invitations', 'synchronizationSettings'])
        await ask(give, 'GET', `${SHARE}/${list}?$top=1`);
      for (const [who, path] of [
        [take, `${TAKEN}/dataSetMappings/all`],
        [take, `${TAKEN}/triggers/daily`],
        [take, TAKEN],
        [give, `${SHARE}/dataSets/all`],
        [give, SHARE],
      ] as const)
        await ask(who, 'DELETE', path);
      expect(foreign).toEqual([]);
    });

    it.each(['größe', '日本語', '🎉', 'a b', 'שלום', 'e\u0301'])(
      'names in Location what is called %s',
      async (name) => {
        const [share, taken] = [`${PROVIDER}/shares/${name}`, `${CONSUMER}/shareSubscriptions/${name}`];
        const locationOf = async (who: Ask, path: string, body: unknown) => {
          const { status, headers, text, body: answer } = await who('PUT', encodeURI(path), body);
          if (status !== 201) throw new Error(`${status}: ${text}`);
          return { location: headers.get('location'), answer };
        };
        expect(await locationOf(give, share, {})).toMatchObject({ location: encodeURI(`${share}/${name}`) });
        const setting = `${share}/synchronizationSettings/${name}`;
        expect(await locationOf(give, setting, SCHEDULE)).toMatchObject({ location: encodeURI(setting) });
        const invitation = `${share}/invitations/${name}`;
        const sent = await locationOf(give, invitation, { properties: { targetEmail: 'other@other.example' } });
        const { invitationId } = sent.answer.properties;
        expect(sent.location).toBe(encodeURI(`${invitation}/${invitationId}`));
        const accepted = await locationOf(take, taken, {
          properties: { invitationId, sourceShareLocation: 'eastus' },
        });
        expect(accepted.location).toBe(encodeURI(`${taken}/${name}`));
        expect((await good(take('GET', encodeURI(taken)))).name).toBe(name);
      },
    );
  },
  { settings: { datashare: { storageRoot: folder.root } }, namespace: ['Microsoft'] },
);
