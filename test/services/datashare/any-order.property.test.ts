import fc from 'fast-check';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { onBothStores, type Reply } from '../../support/jars.ts';
import { leftovers } from './leftovers.ts';
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
const probe = new JarProbe();

const schedule = (hour: number) => ({
  kind: 'ScheduleBased',
  properties: { recurrenceInterval: 'Hour', synchronizationTime: `2026-03-01T0${hour}:00:00Z` },
});

/** The possible actions of either side; a number chooses among the existing resources. */
const MOVES = {
  makeShare: ({ give }) => give('PUT', SHARE, {}),
  dropShare: ({ give }) => give('DELETE', SHARE),
  makeSet: ({ give }, n) =>
    give('PUT', `${SHARE}/dataSets/d${n % 2}`, { kind: 'Container', properties: { ...SOURCE, containerName: 'data' } }),
  dropSet: ({ give }, n) => give('DELETE', `${SHARE}/dataSets/d${n % 2}`),
  setSchedule: ({ give }, n) => give('PUT', `${SHARE}/synchronizationSettings/s`, schedule(n % 3)),
  dropSchedule: ({ give }) => give('DELETE', `${SHARE}/synchronizationSettings/s`),
  invite: ({ give }, n) =>
    give('PUT', `${SHARE}/invitations/i${n}`, {
      properties: {
        targetEmail: 'other@other.example',
        ...(n % 2 === 0 && { expirationDate: '2030-01-01T00:00:00Z' }),
      },
    }),
  accept: async ({ take }, n) => {
    const { value } = (await take('GET', '/providers/Vendor.DataShare/listInvitations')).body;
    const { invitationId } = value[n % Math.max(1, value.length)]?.properties ?? { invitationId: 'none' };
    return take('PUT', TAKEN, { properties: { invitationId, sourceShareLocation: 'eastus' } });
  },
  leave: ({ take }) => take('DELETE', TAKEN),
  map: async ({ take }, n) => {
    const { value = [] } = (await take('GET', `${TAKEN}/consumerSourceDataSets`)).body;
    const { dataSetId } = value[n % Math.max(1, value.length)]?.properties ?? {};
    const properties = { ...TARGET, dataSetId: dataSetId ?? 'none', containerName: `copies${n % 2}` };
    return take('PUT', `${TAKEN}/dataSetMappings/m${n % 2}`, { kind: 'Container', properties });
  },
  unmap: ({ take }, n) => take('DELETE', `${TAKEN}/dataSetMappings/m${n % 2}`),
  follow: ({ take }, n) => take('PUT', `${TAKEN}/triggers/t`, schedule(n % 3)),
  unfollow: ({ take }) => take('DELETE', `${TAKEN}/triggers/t`),
  synchronize: ({ take }) => take('POST', `${TAKEN}/synchronize`),
  cancel: async ({ take }, n) => {
    const { value = [] } = (await take('POST', `${TAKEN}/listSynchronizations`)).body;
    const { synchronizationId = 'none' } = value[n % Math.max(1, value.length)] ?? {};
    return take('POST', `${TAKEN}/cancelSynchronization`, { synchronizationId });
  },
  revoke: (sides) => toConsumer(sides, 'revoke'),
  reinstate: (sides) => toConsumer(sides, 'reinstate'),
  dropProvider: ({ give }) => give('DELETE', PROVIDER),
  makeProvider: ({ give }) => give('PUT', PROVIDER, ACCOUNT_BODY),
} satisfies Record<string, (sides: Sides, n: number) => Promise<Reply>>;

interface Sides {
  readonly give: Ask;
  readonly take: Ask;
}

async function toConsumer({ give }: Sides, action: string): Promise<Reply> {
  const { value = [] } = (await give('GET', `${SHARE}/providerShareSubscriptions`)).body;
  return give('POST', `${SHARE}/providerShareSubscriptions/${value[0]?.name ?? 'none'}/${action}`);
}

type Move = keyof typeof MOVES;
const move = fc.tuple(fc.constantFrom(...(Object.keys(MOVES) as Move[])), fc.nat(5));
/** Rounds of concurrent actions. */
const rounds = fc.array(fc.array(move, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 });
/** Initial actions of most runs, so that later actions have something to act on. */
const BEGINNING: readonly (readonly [Move, number])[] = [
  ['makeShare', 0],
  ['makeSet', 0],
  ['setSchedule', 0],
  ['invite', 1],
  ['accept', 0],
  ['map', 0],
  ['follow', 0],
];

onBothStores(
  'data sharing',
  (bench) => {
    let sides: Sides;

    beforeEach(async () => {
      sides = { give: await giver(bench), take: await taker(bench) };
    });

    it('takes whatever both sides do at once, and leaves nothing behind when all is deleted', async () => {
      const runs = process.env.CLOUDJAR_SOAK === '1' ? 100 : 8;
      await fc.assert(
        fc.asyncProperty(rounds, async (made) => {
          await bench.jar.reset();
          const { give, take } = sides;
          await makeAccounts(give, take);
          await folder.write('source', 'data/one.txt', '1');
          const operations: string[] = [];
          const play = async (moves: readonly (readonly [Move, number])[]): Promise<void> => {
            const replies = await Promise.all(moves.map(([name, n]) => MOVES[name](sides, n)));
            replies.forEach(({ status, text, headers }, i) => {
              expect([moves[i], status < 500 || text]).toEqual([moves[i], true]);
              const location = headers.get('location');
              if (location?.includes('/operationResults/')) operations.push(location);
            });
          };
          for (const each of BEGINNING) await play([each]);
          for (const round of made) await play(round);
          await bench.jar.clock.advance('2h');
          await bench.jar.settled();
          const { value: ran = [] } = (await take('POST', `${TAKEN}/listSynchronizations`)).body;
          for (const { status } of ran) expect(['Succeeded', 'Failed', 'Cancelled']).toContain(status);
          await good(give('DELETE', PROVIDER), 202, 204);
          await good(take('DELETE', CONSUMER), 202);
          await bench.jar.settled();
          expect(await leftovers(probe)).toEqual({});
          for (const location of operations) {
            const asked = await (location.includes('/subscriptions/1') ? give : take)('GET', location);
            expect(asked).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
          }
        }),
        { numRuns: runs },
      );
    });
  },
  {
    clockStart: '2026-03-01T00:00:00Z',
    settings: { datashare: { storageRoot: folder.root } },
    services: [...SERVICES, probe.service],
  },
);
