import { afterAll, beforeEach, expect, it } from 'vitest';
import { invitations, shareSubscriptions } from '../../../src/services/datashare/collections.ts';
import { EXPIRE_INVITATION, EXPIRE_SUBSCRIPTION } from '../../../src/services/datashare/work.ts';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { onBothStores } from '../../support/jars.ts';
import {
  type Ask,
  giver,
  good,
  makeAccounts,
  PROVIDER,
  SHARE,
  StorageFolder,
  shareContainer,
  TAKEN,
  taker,
} from './support.ts';

const folder = await StorageFolder.make();
afterAll(() => folder.remove());
const probe = new JarProbe();

const schedule = (synchronizationTime: string, recurrenceInterval = 'Day') => ({
  kind: 'ScheduleBased',
  properties: { recurrenceInterval, synchronizationTime },
});
const SIX = schedule('2026-03-01T06:00:00Z');
const EIGHT = schedule('2026-03-01T08:00:00Z');

onBothStores(
  'schedules and ends of data sharing',
  (bench) => {
    let give: Ask;
    let take: Ask;
    let invitationId: string;

    beforeEach(async () => {
      await bench.jar.reset();
      await folder.delete('target', '.');
      [give, take] = [await giver(bench), await taker(bench)];
      await makeAccounts(give, take);
      await folder.write('source', 'data/one.txt', '1');
      ({ invitationId } = await shareContainer(give, take));
    });

    const runCount = async (): Promise<number> => {
      let count = 0;
      for (let next = `${TAKEN}/listSynchronizations`; next; ) {
        const { value, nextLink } = await good(take('POST', next));
        count += value.length;
        next = nextLink;
      }
      return count;
    };
    const statusOf = async () => (await good(take('GET', `${TAKEN}/triggers/daily`))).properties.triggerStatus;

    it('never leave a trigger active with an outdated schedule, whatever the order of the writes', async () => {
      await good(give('PUT', `${SHARE}/synchronizationSettings/daily`, SIX), 201);
      for (let round = 0; round < 8; round++) {
        const [from, to] = round % 2 === 0 ? [SIX, EIGHT] : [EIGHT, SIX];
        await Promise.all([
          take('PUT', `${TAKEN}/triggers/daily`, from),
          give('PUT', `${SHARE}/synchronizationSettings/daily`, to),
        ]);
        await bench.jar.settled();
        const trigger = await take('GET', `${TAKEN}/triggers/daily`);
        expect(trigger.body.properties?.triggerStatus ?? 'Inactive').toBe('Inactive');
      }
    });

    it('are not ended by due work that is outdated because the expiry was postponed', async () => {
      const { store, clock } = probe.jar;
      const sent = await good(
        give('PUT', `${SHARE}/invitations/second`, {
          properties: { targetEmail: 'other@other.example', expirationDate: '2027-01-01T00:00:00Z' },
        }),
        201,
      );
      const uid = sent.properties.invitationId;
      const invitation = (await store.query(invitations, { limit: 10 })).items.find(({ value }) => value.uid === uid);
      const [subscription] = (await store.query(shareSubscriptions, { limit: 1 })).items;
      if (!invitation || !subscription) throw new Error('nothing was found');
      await store.transact(async (tx) => {
        const now = clock.now();
        await tx.schedule(EXPIRE_INVITATION.at(now, { key: invitation.key, uid }));
        await tx.schedule(EXPIRE_SUBSCRIPTION.at(now, { key: subscription.key, uid: subscription.value.uid }));
      });
      await bench.jar.settled();
      const { properties } = await good(give('GET', `${SHARE}/invitations/second`));
      expect(properties.invitationStatus).toBe('Pending');
      expect((await good(take('GET', TAKEN))).properties.shareSubscriptionStatus).toBe('Active');
    });

    it('end at their very moment, not before', async () => {
      const at = '2026-03-02T00:00:00Z';
      const body = { properties: { invitationId, sourceShareLocation: 'eastus', expirationDate: at } };
      await good(take('PUT', TAKEN, body), 200);
      const status = async () => (await good(take('GET', TAKEN))).properties.shareSubscriptionStatus;
      await bench.jar.clock.advance(Date.parse(at) - bench.jar.clock.now().getTime() - 1);
      expect(await status()).toBe('Active');
      await bench.jar.clock.advance(1);
      expect(await status()).toBe('Revoked');
    });

    it.each([
      ['9999-12-31T23:59:59-14:00', 400],
      ['0001-01-01T00:00:00+14:00', 400],
      ['9999-12-31T23:59:59Z', 201],
      ['0001-01-01T00:00:00Z', 201],
    ])('refuse times that no answer can show: %s gets %i', async (time, status) => {
      const set = await give('PUT', `${SHARE}/synchronizationSettings/daily`, schedule(time));
      expect(set.status).toBe(status);
      expect(set.body.error?.target ?? 'properties.synchronizationTime').toBe('properties.synchronizationTime');
    });

    it('follow a schedule that began in the year 1, and one that begins in the year 9999', async () => {
      const early = schedule('0001-01-01T05:30:00Z');
      await good(give('PUT', `${SHARE}/synchronizationSettings/daily`, early), 201);
      await good(take('PUT', `${TAKEN}/triggers/daily`, early), 201);
      await bench.jar.clock.advance('3d');
      expect(await runCount()).toBe(3);
      const late = schedule('9999-12-31T23:00:00Z');
      await good(give('PUT', `${SHARE}/synchronizationSettings/daily`, late), 200);
      await good(take('PUT', `${TAKEN}/triggers/daily`, late), 200);
      await bench.jar.clock.advance('3d');
      expect(await statusOf()).toBe('Active');
      expect(await runCount()).toBe(3);
    });

    it('allow changes of existing resources if the limit is now lower', async () => {
      await good(give('PUT', `${PROVIDER}/shares/second`, {}), 201);
      const body = { name: 'datashare.shares', limit: 1 };
      expect((await bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body })).status).toBe(200);
      const changed = await give('PUT', SHARE, { properties: { description: 'New words' } });
      expect(changed).toMatchObject({ status: 200, body: { properties: { description: 'New words' } } });
      expect(await give('PUT', `${PROVIDER}/shares/third`, {})).toMatchObject({
        status: 409,
        body: { error: { code: 'QuotaExceeded' } },
      });
    });
  },
  {
    clockStart: '2026-03-01T00:00:00Z',
    settings: { datashare: { storageRoot: folder.root } },
    services: [...SERVICES, probe.service],
  },
);
