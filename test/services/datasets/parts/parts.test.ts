import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { ADA, asUser, DEE, FORBIDDEN, LIN, outcome, seedFile } from '../people.ts';
import { DATASET, GROUP, PARAMETERS, SEED } from '../seed/samples.ts';
import { type Ask, good, mistake, PLAIN, person } from '../support.ts';

onAnyStore(
  'the further parts of a dataset',
  (bench) => {
    let ada: Ask;
    /** The owner of the dataset. */
    let lin: Ask;
    const dataset = `groups/${GROUP}/datasets/${DATASET}`;

    beforeEach(async () => {
      await bench.jar.reset();
      ada = await person(bench);
      lin = await person(bench, LIN.alias);
    });

    describe('PATCH', () => {
      it.each<[object, object]>([
        [{ targetStorageMode: 'Abf' }, { targetStorageMode: 'Abf' }],
        [{ targetStorageMode: 'premiumfiles' }, { targetStorageMode: 'PremiumFiles' }],
        [
          { queryScaleOutSettings: { autoSyncReadOnlyReplicas: false } },
          { queryScaleOutSettings: { autoSyncReadOnlyReplicas: false, maxReadOnlyReplicas: -1 } },
        ],
        ...[-1, 0, 1, 64].map((maxReadOnlyReplicas): [object, object] => [
          { queryScaleOutSettings: { maxReadOnlyReplicas } },
          { queryScaleOutSettings: { autoSyncReadOnlyReplicas: true, maxReadOnlyReplicas } },
        ]),
        [{}, { targetStorageMode: 'PremiumFiles' }],
      ])('%j', async (body, expected) => {
        expect(await lin('PATCH', dataset, body)).toMatchObject({ status: 200, text: '' });
        expect(await good(lin('GET', dataset))).toMatchObject(expected);
      });

      it.each<[unknown, string]>([
        [{ queryScaleOutSettings: { maxReadOnlyReplicas: -2 } }, 'queryScaleOutSettings.maxReadOnlyReplicas'],
        [{ queryScaleOutSettings: { maxReadOnlyReplicas: 65 } }, 'queryScaleOutSettings.maxReadOnlyReplicas'],
        [{ queryScaleOutSettings: { maxReadOnlyReplicas: 1.5 } }, 'queryScaleOutSettings.maxReadOnlyReplicas'],
        [{ queryScaleOutSettings: { maxReadOnlyReplicas: '1' } }, 'queryScaleOutSettings.maxReadOnlyReplicas'],
        [{ queryScaleOutSettings: { autoSyncReadOnlyReplicas: 1 } }, 'queryScaleOutSettings.autoSyncReadOnlyReplicas'],
        [{ queryScaleOutSettings: { replicas: 1 } }, 'queryScaleOutSettings.replicas'],
        [{ queryScaleOutSettings: [] }, 'queryScaleOutSettings'],
        [{ targetStorageMode: 'Large' }, 'targetStorageMode'],
        [{ targetStorageMode: 'Abf', name: 'Other' }, 'name'],
      ])('refuses %j', async (body, target) => {
        const before = await good(lin('GET', dataset));
        expect(mistake(await lin('PATCH', dataset, body))).toMatchObject({ status: 400, code: 'BadRequest', target });
        expect(await good(lin('GET', dataset))).toEqual(before);
      });

      it('is for the owner only, not for others who may write', async () => {
        const body = { targetStorageMode: 'Abf' };
        expect(outcome(await ada('PATCH', dataset, body))).toEqual(FORBIDDEN);
        const { id } = await good(ada('POST', 'datasets', { name: 'Mine', tables: [PLAIN] }));
        await good(ada('PATCH', `datasets/${id}`, { targetStorageMode: 'PremiumFiles' }));
      });
    });

    it('the caller who takes a dataset over becomes its owner', async () => {
      expect(await ada('POST', `${dataset}/Default.TakeOver`)).toMatchObject({ status: 200, text: '' });
      expect(await good(ada('GET', dataset))).toMatchObject({ configuredBy: ADA.address });
      await good(ada('PATCH', dataset, {}));
      expect(outcome(await lin('PATCH', dataset, {}))).toEqual(FORBIDDEN);
      const { id } = await good(ada('POST', 'datasets', { name: 'Mine', tables: [PLAIN] }));
      expect((await ada('POST', `datasets/${id}/Default.TakeOver`)).status).toBe(404);
    });

    it('an owner who may no longer write changes nothing', async () => {
      await good(ada('PUT', `groups/${GROUP}/users`, asUser(LIN.address, 'Viewer')));
      expect(outcome(await lin('PATCH', dataset, {}))).toEqual(FORBIDDEN);
    });

    describe('parameters', () => {
      const update = (...updateDetails: readonly object[]) =>
        lin('POST', `${dataset}/Default.UpdateParameters`, { updateDetails });
      const values = async (): Promise<Record<string, string>> =>
        Object.fromEntries(
          (await good(lin('GET', `${dataset}/parameters`))).value.map((each: Record<string, string>) => [
            each.name,
            each.currentValue,
          ]),
        );

      it('get other values, all at once', async () => {
        const changes = {
          Server: 'two',
          MaxId: '-1.5e3',
          Since: '2024-02-29',
          Live: 'FALSE',
          At: '2024-02-29T12:30:00',
          Zoned: '2024-02-29T12:30:00.5+01:00',
          Time: '23:59:59',
          Long: '1.02:30:00',
        };
        const all = Object.entries(changes).map(([name, newValue]) => ({ name, newValue }));
        expect(await update(...all)).toMatchObject({ status: 200, text: '' });
        expect(await values()).toEqual({ ...changes, Any: 'x', Bytes: undefined });
        await good(update({ name: 'Since', newValue: '' }, { name: 'Live', newValue: null }, { name: 'At' }));
        expect(await values()).toMatchObject({ Server: 'two', Since: undefined, Live: undefined, At: undefined });
      });

      it.each<[string, readonly object[], string]>([
        ['none', [], 'updateDetails'],
        ['more than 100', Array.from({ length: 101 }, (_, i) => ({ name: `p${i}`, newValue: '' })), 'updateDetails'],
        ['one that is not there', [{ name: 'Nosuch', newValue: 'x' }], 'updateDetails[0].name'],
        ['one in another case', [{ name: 'server', newValue: 'x' }], 'updateDetails[0].name'],
        [
          'one twice',
          [
            { name: 'Server', newValue: 'x' },
            { name: 'Server', newValue: 'y' },
          ],
          'updateDetails[1].name',
        ],
        ['one of the type Any', [{ name: 'Any', newValue: 'x' }], 'updateDetails[0].name'],
        ['one of the type Binary', [{ name: 'Bytes', newValue: 'x' }], 'updateDetails[0].name'],
        ['a required one without a value', [{ name: 'Server', newValue: '' }], 'updateDetails[0].newValue'],
        ['text for a number', [{ name: 'MaxId', newValue: 'x' }], 'updateDetails[0].newValue'],
        ['a number that is none in JSON', [{ name: 'MaxId', newValue: 5 }], 'updateDetails[0].newValue'],
        ['a day that there is not', [{ name: 'Since', newValue: '2023-02-29' }], 'updateDetails[0].newValue'],
        ['yes for true', [{ name: 'Live', newValue: 'yes' }], 'updateDetails[0].newValue'],
        ['a time with an offset', [{ name: 'At', newValue: '2024-01-01T00:00:00Z' }], 'updateDetails[0].newValue'],
        ['a time without one', [{ name: 'Zoned', newValue: '2024-01-01T00:00:00' }], 'updateDetails[0].newValue'],
        ['hours that there are not', [{ name: 'Time', newValue: '24:00' }], 'updateDetails[0].newValue'],
        ['a length that is none', [{ name: 'Long', newValue: '1 day' }], 'updateDetails[0].newValue'],
        ['another property', [{ name: 'Server', value: 'x' }], 'updateDetails[0].value'],
      ])('are not updated with %s', async (_, updates, target) => {
        const before = await values();
        expect(mistake(await update(...updates))).toMatchObject({ status: 400, code: 'BadRequest', target });
        expect(await values()).toEqual(before);
      });

      it('are all refused if one is invalid', async () => {
        const reply = await update({ name: 'Server', newValue: 'two' }, { name: 'MaxId', newValue: 'x' });
        expect(reply.body.error.details).toMatchObject([{ target: 'updateDetails[1].newValue' }]);
        expect(await values()).toMatchObject({ Server: 'one', MaxId: '5' });
      });

      it('are updated by the owner, and visible to users who may read', async () => {
        const body = { updateDetails: [{ name: 'Server', newValue: 'two' }] };
        expect(outcome(await ada('POST', `${dataset}/Default.UpdateParameters`, body))).toEqual(FORBIDDEN);
        const dee = await person(bench, DEE.alias);
        expect((await good(dee('GET', `datasets/${DATASET}/parameters`))).value).toEqual(PARAMETERS);
        const { id } = await good(ada('POST', 'datasets', { name: 'Mine', tables: [PLAIN] }));
        expect((await good(ada('GET', `datasets/${id}/parameters`))).value).toEqual([]);
      });
    });

    it('datasources are those of the request', async () => {
      const datasources = [{ datasourceType: 'Web', connectionDetails: { url: 'https://u.example', ___domain: 'd' } }];
      const { id } = await good(ada('POST', 'datasets', { name: 'Mine', tables: [PLAIN], datasources }));
      expect((await good(ada('GET', `datasets/${id}/datasources`))).value).toEqual([
        {
          datasourceType: 'Web',
          connectionDetails: { url: 'https://u.example', domain: 'd' },
          datasourceId: '',
          gatewayId: '',
        },
      ]);
    });

    it('there is no refresh, now or by a schedule', async () => {
      expect((await good(lin('GET', `${dataset}/refreshes?$top=5`))).value).toEqual([]);
      expect(outcome(await lin('GET', `${dataset}/refreshes?$top=0`))).toEqual({ status: 400, code: 'InvalidRequest' });
      for (const [method, path, body] of [
        ['POST', 'refreshes', { notifyOption: 'NoNotification' }],
        ['POST', 'refreshes'],
        ['GET', 'refreshSchedule'],
        ['PATCH', 'refreshSchedule', { value: { enabled: true } }],
      ] as const) {
        const reply = await lin(method, `${dataset}/${path}`, body);
        expect({ status: reply.status, ...reply.body.error }).toMatchObject({
          status: 400,
          code: 'InvalidRequest',
          message: 'Invalid dataset. This API can only be called on a Model-based dataset',
        });
      }
    });

    it('encryption is shown if it is requested', async () => {
      expect((await good(lin('GET', dataset))).encryption).toBeUndefined();
      const { encryption } = await good(lin('GET', `${dataset}?$expand=Encryption`));
      expect(encryption).toEqual({ EncryptionStatus: 'InSyncWithWorkspace' });
      const list = `groups/${GROUP}/datasets`;
      expect((await good(lin('GET', list))).value[0].encryption).toBeUndefined();
      expect(outcome(await lin('GET', `${list}?$expand=tables`))).toEqual({ status: 400, code: 'InvalidRequest' });
    });

    it('every change is in the feed once', async () => {
      await good(lin('PATCH', dataset, { targetStorageMode: 'Abf' }));
      await good(
        ada('POST', `${dataset}/users`, {
          identifier: ADA.address,
          principalType: 'User',
          datasetUserAccessRight: 'Read',
        }),
      );
      await good(ada('PATCH', `groups/${GROUP}`, { name: 'Renamed' }));
      const { body } = await bench.call('GET', "/_jar/changes?$filter=source eq 'datasets'", {
        token: bench.jar.adminKey,
      });
      const found = body.value.map(({ kind, subject }: Record<string, string>) => `${kind} ${subject}`);
      expect(found.sort()).toEqual([
        `update /datasets/${DATASET}`,
        `update /groups/${GROUP}`,
        `users /datasets/${DATASET}`,
      ]);
    });
  },
  { seed: seedFile(SEED) },
);
