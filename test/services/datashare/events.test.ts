import { afterAll, expect, it } from 'vitest';
import { OTHER_SUBSCRIPTION, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import {
  type Ask,
  CONSUMER,
  CONSUMER_GROUP,
  giver,
  good,
  makeAccounts,
  PROVIDER,
  PROVIDER_GROUP,
  SHARE,
  StorageFolder,
  shareContainer,
  synchronize,
  TAKEN,
  taker,
} from './support.ts';

const folder = await StorageFolder.make();
afterAll(() => folder.remove());

interface Event {
  readonly eventType: string;
  readonly subject: string;
  readonly data: { readonly operationName: string; readonly tenantId: string; readonly claims: object };
}

onBothStores(
  'events of data sharing',
  (bench) => {
    let give: Ask;
    let take: Ask;

    const subscribe = (ask: Ask, scope: string, inbox: string) =>
      good(
        ask('PUT', `${scope}/providers/Vendor.EventGrid/eventSubscriptions/${inbox}?api-version=2025-02-15`, {
          properties: {
            destination: { endpointType: 'WebHook', properties: { endpointUrl: bench.jar.inbox(inbox).httpsUrl } },
          },
        }),
      );

    /** For example `ActionSuccess accounts/shares/synchronize/action numbers`. Sorted, because deliveries have no order. */
    const heard = async (inbox: string): Promise<string[]> => {
      await bench.jar.settled();
      const requests = await bench.jar.inbox(inbox).requests();
      const events: Event[] = requests.filter(({ handshake }) => !handshake).flatMap((request) => request.json());
      const own = events.filter(({ data }) => data.operationName.startsWith('Vendor.DataShare/'));
      const told = own.map(
        ({ eventType, subject, data }) =>
          `${eventType.replace('Vendor.Resources.Resource', '')} ${data.operationName.replace('Vendor.DataShare/', '')} ${subject.split('/').at(-1)}`,
      );
      return told.toSorted();
    };

    it('are delivered to subscribers at the account and at the group, of each side its own', async () => {
      [give, take] = [await giver(bench), await taker(bench)];
      await folder.write('source', 'data/a.txt', 'a');
      await makeAccounts(give, take);
      await bench.jar.settled();
      for (const [ask, account, group, name] of [
        [give, PROVIDER, PROVIDER_GROUP, 'giver'],
        [take, CONSUMER, CONSUMER_GROUP, 'taker'],
      ] as const) {
        await subscribe(ask, account, `${name}account`);
        await subscribe(ask, group, `${name}group`);
      }
      await bench.jar.settled();
      await shareContainer(give, take);
      await synchronize(take);
      const provided = await heard('giveraccount');
      expect(provided).toEqual([
        'ActionSuccess accounts/shares/synchronize/action numbers',
        'WriteSuccess accounts/shares/dataSets/write all',
        'WriteSuccess accounts/shares/invitations/write otto',
        'WriteSuccess accounts/shares/invitations/write otto',
        'WriteSuccess accounts/shares/write numbers',
      ]);
      expect(await heard('givergroup')).toEqual(expect.arrayContaining(provided));
      const consumed = await heard('takeraccount');
      expect(consumed).toEqual([
        'ActionSuccess accounts/shareSubscriptions/synchronize/action numbers',
        'WriteSuccess accounts/shareSubscriptions/dataSetMappings/write all',
        'WriteSuccess accounts/shareSubscriptions/write numbers',
      ]);
      expect(await heard('takergroup')).toEqual(expect.arrayContaining(consumed));
    });

    it('tell one tenant nothing about the actor in the other', async () => {
      for (const [inbox, stranger] of [
        ['giveraccount', OTHER_SUBSCRIPTION],
        ['takeraccount', SUBSCRIPTION],
      ] as const) {
        const texts = (await bench.jar.inbox(inbox).requests()).map(({ body }) => String(body)).join('\n');
        expect(texts).not.toContain(stranger);
      }
    });

    it('report a run that fails, and one of a trigger', async () => {
      await bench.jar.inbox('takeraccount').clear();
      await bench.jar.inbox('giveraccount').clear();
      await folder.delete('source', 'data');
      const now = bench.jar.clock.now().toISOString();
      const schedule = { kind: 'ScheduleBased', properties: { recurrenceInterval: 'Hour', synchronizationTime: now } };
      await good(give('PUT', `${SHARE}/synchronizationSettings/hourly`, schedule));
      await good(take('PUT', `${TAKEN}/triggers/hourly`, schedule));
      await bench.jar.clock.advance('1h');
      expect(await heard('takeraccount')).toEqual([
        'ActionFailure accounts/shareSubscriptions/synchronize/action numbers',
        'WriteSuccess accounts/shareSubscriptions/triggers/write hourly',
      ]);
      expect(await heard('giveraccount')).toEqual([
        'ActionFailure accounts/shares/synchronize/action numbers',
        'WriteSuccess accounts/shares/synchronizationSettings/write hourly',
      ]);
    });

    it('report an invitation that expires', async () => {
      await bench.jar.inbox('giveraccount').clear();
      const expirationDate = new Date(bench.jar.clock.now().getTime() + 1000).toISOString();
      const properties = { targetEmail: 'late@other.example', expirationDate };
      await good(give('PUT', `${SHARE}/invitations/late`, { properties }));
      await bench.jar.clock.advance('1m');
      expect(await heard('giveraccount')).toEqual([
        'WriteSuccess accounts/shares/invitations/write late',
        'WriteSuccess accounts/shares/invitations/write late',
      ]);
    });
  },
  { settings: { datashare: { storageRoot: folder.root } } },
);
