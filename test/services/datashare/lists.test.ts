import { afterAll, beforeAll, expect, it } from 'vitest';
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
  synchronize,
  TAKEN,
  taker,
} from './support.ts';

const folder = await StorageFolder.make();
afterAll(() => folder.remove());
beforeAll(() => folder.write('source', 'data/a.txt', 'a'));

/** Filters and the runs they match among five runs: those of hours 1 and 3 are full, the third fails. */
const FILTERS: readonly (readonly [filter: string, hours: readonly number[]])[] = [
  ["status eq 'Failed'", [3]],
  ["status ne 'Failed'", [5, 4, 2, 1]],
  ["STATUS eq 'Failed'", [3]],
  ["synchronizationMode eq 'FullSync'", [3, 1]],
  ['startTime ge 2026-03-01T04:00:00Z', [5, 4]],
  ['startTime lt 2026-03-01T03:00:00Z', [2, 1]],
  ['startTime gt 2026-03-01T01:00:00Z and startTime le 2026-03-01T04:00:00Z', [4, 3, 2]],
  ['not (startTime ge 2026-03-01T02:00:00Z)', [1]],
  ['startTime eq null', []],
  ['startTime ne null', [5, 4, 3, 2, 1]],
  ['endTime gt 2026-03-01T04:30:00Z', [5]],
  ['durationMs eq 0', [5, 4, 3, 2, 1]],
  ['durationMs gt 0', []],
  ["contains(message, 'no container')", [3]],
  ['message eq null', [5, 4, 2, 1]],
  ["status eq 'Failed' or startTime eq 2026-03-01T05:00:00Z", [5, 3]],
  ["startswith(status, 'Succ') and synchronizationMode in ('FullSync')", [1]],
  ['hour(startTime) eq 2', [2]],
];

const CONSUMER_FILTERS: typeof FILTERS = [
  ["consumerName eq 'Otto Other'", [5, 4, 3, 2, 1]],
  ["consumerEmail eq 'other@other.example' and consumerTenantName eq 'Other Example'", [5, 4, 3, 2, 1]],
  ["consumerTenantName ne 'Other Example'", []],
];

const ORDERS: readonly (readonly [order: string, hours: readonly number[]])[] = [
  ['startTime', [1, 2, 3, 4, 5]],
  ['startTime desc', [5, 4, 3, 2, 1]],
  ['status, startTime desc', [3, 5, 4, 2, 1]],
  ['synchronizationMode asc,endTime asc', [1, 3, 2, 4, 5]],
];

onBothStores(
  'the lists of synchronizations',
  (bench) => {
    let give: Ask;
    let take: Ask;

    const hours = async (ask: Ask, owner: string, query: string): Promise<number[]> => {
      const { value } = await good(ask('POST', `${owner}/listSynchronizations?${query}`), 200);
      return value.map(({ startTime }: { startTime: string }) => new Date(startTime).getUTCHours());
    };

    it('begin empty, with the five headers of an answer', async () => {
      [give, take] = [await giver(bench), await taker(bench)];
      await makeAccounts(give, take);
      await shareContainer(give, take);
      for (const [ask, owner, action] of [
        [give, SHARE, 'listSynchronizations'],
        [take, TAKEN, 'listSynchronizations'],
        [take, TAKEN, 'listSourceShareSynchronizationSettings'],
      ] as const) {
        const { status, body, headers } = await ask('POST', `${owner}/${action}`);
        expect([status, body]).toEqual([200, { value: [] }]);
        for (const name of ['date', 'x-ms-request-id', 'x-ms-correlation-request-id'])
          expect(headers.get(name), name).toBeTruthy();
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
    });

    it('count as reads', async () => {
      const left = async () => {
        const { headers } = await take('POST', `${TAKEN}/listSynchronizations`);
        expect(headers.has('x-ms-ratelimit-remaining-subscription-writes')).toBe(false);
        return Number(headers.get('x-ms-ratelimit-remaining-subscription-reads'));
      };
      const before = await left();
      expect(await left()).toBe(before - 1);
    });

    it('have a run for each synchronization', async () => {
      for (const mode of ['FullSync', 'Incremental', 'FullSync', 'Incremental', 'Incremental'] as const) {
        await bench.jar.clock.advance('1h');
        const isThird = bench.jar.clock.now().getUTCHours() === 3;
        if (isThird) await folder.delete('source', 'data');
        await synchronize(take, mode);
        if (isThird) await folder.write('source', 'data/a.txt', 'a');
      }
      expect(await hours(take, TAKEN, '')).toEqual([5, 4, 3, 2, 1]);
      expect(await hours(give, SHARE, '')).toEqual([5, 4, 3, 2, 1]);
    });

    it.each([...FILTERS])('find by %s', async (filter, expected) => {
      const query = `$filter=${encodeURIComponent(filter)}`;
      expect(await hours(take, TAKEN, query)).toEqual(expected);
      expect(await hours(give, SHARE, query)).toEqual(expected);
    });

    it.each([...CONSUMER_FILTERS])('find by %s for providers only', async (filter, expected) => {
      const query = `$filter=${encodeURIComponent(filter)}`;
      expect(await hours(give, SHARE, query)).toEqual(expected);
      const refused = await take('POST', `${TAKEN}/listSynchronizations?${query}`);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'InvalidFilterInQueryString' } } });
    });

    it.each([...ORDERS])('are ordered by %s', async (order, expected) => {
      expect(await hours(take, TAKEN, `$orderby=${encodeURIComponent(order)}`)).toEqual(expected);
      expect(await hours(give, SHARE, `$orderby=${encodeURIComponent(order)}`)).toEqual(expected);
    });

    it.each([
      ['$filter', 'status eq', 'InvalidFilterInQueryString'],
      ['$filter', "colour eq 'red'", 'InvalidFilterInQueryString'],
      ['$filter', "'#started' eq #started", 'InvalidFilterInQueryString'],
      ['$orderby', 'colour', 'InvalidParameter'],
      ['$skipToken', 'garbage', 'InvalidSkipToken'],
      ['$skip', '1', 'InvalidSkipToken'],
      ['$top', '0', 'InvalidTop'],
    ])('refuse %s=%s', async (option, text, code) => {
      const refused = await take('POST', `${TAKEN}/listSynchronizations?${option}=${encodeURIComponent(text)}`);
      expect(refused).toMatchObject({ status: 400, body: { error: { code } } });
    });

    it('go on by a token that is good for this list alone', async () => {
      const first = await good(take('POST', `${TAKEN}/listSynchronizations?$top=2`));
      const link = new URL(first.nextLink);
      const second = await good(take('POST', first.nextLink));
      expect(second.value).toHaveLength(2);
      const token = encodeURIComponent(link.searchParams.get('$skiptoken') ?? '');
      const elsewhere = await give('POST', `${SHARE}/listSynchronizations?$skipToken=${token}`);
      expect(elsewhere).toMatchObject({ status: 400, body: { error: { code: 'InvalidSkipToken' } } });
    });

    it('of source settings know a token only', async () => {
      const reply = await take('POST', `${TAKEN}/listSourceShareSynchronizationSettings?$filter=nonsense%20(`);
      expect(reply.status).toBe(200);
      const garbage = await take('POST', `${TAKEN}/listSourceShareSynchronizationSettings?$skipToken=x`);
      expect(garbage).toMatchObject({ status: 400, body: { error: { code: 'InvalidSkipToken' } } });
    });

    it('of details are filtered and ordered too', async () => {
      const { value } = await good(take('POST', `${TAKEN}/listSynchronizations?$top=1`));
      const body = { synchronizationId: value[0].synchronizationId };
      const filter = encodeURIComponent("status eq 'Succeeded' and filesRead ge 0 and dataSetType eq 'Container'");
      const found = await good(
        take('POST', `${TAKEN}/listSynchronizationDetails?$filter=${filter}&$orderby=name`, body),
      );
      expect(found.value).toMatchObject([{ name: 'all', rowsRead: 0, rowsCopied: 0, vCore: 0 }]);
      const none = await good(take('POST', `${TAKEN}/listSynchronizationDetails?$filter=filesRead%20gt%2099`, body));
      expect(none.value).toEqual([]);
    });

    it('of shares and data sets are filtered by name', async () => {
      for (const name of ['alpha', 'Beta', 'gamma']) await good(give('PUT', `${PROVIDER}/shares/${name}`, {}), 201);
      const names = async (query: string) =>
        (await good(give('GET', `${PROVIDER}/shares?${query}`))).value.map(({ name }: { name: string }) => name);
      expect(await names('')).toEqual(['alpha', 'Beta', 'gamma', 'numbers']);
      expect(await names(`$filter=${encodeURIComponent("name eq 'beta'")}`)).toEqual(['Beta']);
      expect(await names('$orderby=name%20desc&$top=2')).toEqual(['numbers', 'gamma']);
    });
  },
  { clockStart: '2026-03-01T00:00:00Z', settings: { datashare: { storageRoot: folder.root } } },
);
