import { afterAll, beforeEach, expect, it } from 'vitest';
import { onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';
import { control } from '../business/webhooks/support.ts';
import {
  type Ask,
  ended,
  giver,
  good,
  makeAccounts,
  StorageFolder,
  shareContainer,
  synchronize,
  TAKEN,
  taker,
} from './support.ts';

const EGRESS = 'platform.storage-egress';
const folder = await StorageFolder.make();
afterAll(() => folder.remove());

onAnyStore(
  'egress of storage accounts',
  (bench) => {
    let give: Ask;
    let take: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      for (const account of ['source', 'target']) await folder.delete(account, '.');
      [give, take] = [await giver(bench), await taker(bench)];
      await makeAccounts(give, take);
      for (const name of ['one', 'two', 'three']) await folder.write('source', `data/${name}.txt`, name);
    });

    const egress = async () => (await control(bench, 'GET', `limits?name=${EGRESS}`)).body.value[0];

    it('is measured by subscription and refuses nothing until a number is set', async () => {
      await shareContainer(give, take, 'data');
      expect(await synchronize(take)).toMatchObject({ status: 'Succeeded' });
      const { inForce, refusals, use } = await egress();
      expect(inForce).toMatchObject({ size: 50e9, mode: 'unlimited' });
      expect(refusals).toBe(0);
      for (const { scope } of use) expect(scope).toEqual({ subscription: SUBSCRIPTION });
    });

    it('with a number, a run waits for its share and goes on from what has arrived', async () => {
      await shareContainer(give, take, 'data');
      const change = { name: EGRESS, scope: { subscription: SUBSCRIPTION }, size: 16, refillPerSecond: 16 };
      expect((await control(bench, 'PATCH', 'limits', change)).status).toBe(200);
      const { synchronizationId } = await good(take('POST', `${TAKEN}/synchronize`, {}), 202);
      await bench.jar.clock.advance('10s');
      expect(await ended(take, synchronizationId)).toMatchObject({ status: 'Succeeded' });
      expect((await egress()).refusals).toBeGreaterThan(0);
      expect(Object.keys(await folder.files('target', 'copies'))).toHaveLength(3);
    });
  },
  { settings: { datashare: { storageRoot: folder.root } } },
);
