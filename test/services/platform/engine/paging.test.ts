import { beforeEach, expect, it } from 'vitest';
import { startJar } from '../../../../src/testing/index.ts';
import { onBothStores } from '../../../support/jars.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';

const QUERIES = '/sql/queries';

onBothStores('data platform: pages of lists', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    for (let number = 0; number < 7; number++)
      await good(ask('POST', QUERIES, { query: { display_name: `q${number}`, query_text: 'SELECT 1' } }));
  });

  const page = (query: string, through = ask) => through('GET', `${QUERIES}?${query}`);
  const token = async (): Promise<string> => (await good(page('page_size=3'))).next_page_token;

  it.each([
    ['page_size=0', 7],
    ['page_size=', 7],
    ['page_size=1', 1],
    ['page_size=7', 7],
    ['page_size=999999999999999', 7],
  ])('%s has %i', async (query, length) => {
    expect((await good(page(query))).results).toHaveLength(length);
  });

  it.each(['-1', '1.5', 'x', '1e3', '99999999999999999999', '1&page_size=2', '%00'])(
    'refuses page_size=%s',
    async (size) => {
      expect(refusal(await page(`page_size=${size}`))).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: expect.stringContaining("'page_size'"),
      });
    },
  );

  it('the pages of a list contain every object once, despite concurrent changes, and the last has no token', async () => {
    const seen: string[] = [];
    const first = await good(page('page_size=3'));
    seen.push(...first.results.map(({ id }: { id: string }) => id));
    // Between two pages: deletes an object of the first page and the first of the next, and creates one at the end.
    const all = (await good(page('page_size=100'))).results.map(({ id }: { id: string }) => id);
    await good(ask('DELETE', `${QUERIES}/${all[2]}`));
    await good(ask('DELETE', `${QUERIES}/${all[3]}`));
    await bench.jar.clock.advance('1s');
    const { id: late } = await good(ask('POST', QUERIES, { query: { display_name: 'late', query_text: '' } }));
    for (let next = first.next_page_token; next; ) {
      const { results, next_page_token } = await good(page(`page_size=3&page_token=${next}`));
      seen.push(...results.map(({ id }: { id: string }) => id));
      next = next_page_token;
    }
    expect(seen).toEqual([...all.slice(0, 3), ...all.slice(4), late]);
  });

  it('a token is valid only for its list, its workspace and its caller, with any page size', async () => {
    const good7 = await token();
    expect((await page(`page_token=${good7}&page_size=1`)).status).toBe(200);
    const licensed = await person(bench, 'licensed');
    const foreign = await person(bench, 'other');
    for (const [what, reply] of [
      ['another list', ask('GET', `/sql/alerts?page_token=${good7}`)],
      ['another account', page(`page_token=${good7}`, foreign)],
      ['another caller', page(`page_token=${good7}`, licensed)],
      ['a changed token', page(`page_token=${good7.slice(0, -2)}`)],
      ['no token', page('page_token=nonsense')],
      ['twice', page(`page_token=${good7}&page_token=${good7}`)],
      ['a huge one', page(`page_token=${'a'.repeat(5000)}`)],
    ] as const)
      expect({ what, ...refusal(await reply) }).toMatchObject({
        what,
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: expect.stringContaining("'page_token'"),
      });
  });

  it('of 32 concurrent changes of a dashboard with the same etag, one succeeds', async () => {
    const made = await good(ask('POST', '/lakeview/dashboards', { display_name: 'Board' }));
    const path = `/lakeview/dashboards/${made.dashboard_id}`;
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, number) =>
        ask('PATCH', path, { display_name: `Board ${number}`, etag: made.etag }),
      ),
    );
    const changed = replies.filter(({ status }) => status === 200);
    expect(changed).toHaveLength(1);
    expect(new Set(replies.filter(({ status }) => status !== 200).map((reply) => refusal(reply).code))).toEqual(
      new Set(['ABORTED']),
    );
    expect(await good(ask('GET', path))).toMatchObject({ display_name: changed[0]?.body.display_name });
  });
});

it('a token is valid after a restart of the jar', async (context) => {
  const options = { databaseUrl: await usePostgresDatabase(context, 'pages'), secretKey: 'B'.repeat(43) };
  const during = async <T>(use: (call: Call) => Promise<T>): Promise<T> => {
    const jar = await startJar(options);
    const headers = { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' };
    try {
      return await use(async (method, path, body) => {
        const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        return (await (await fetch(`${jar.url}/api/2.0${path}`, sent)).json()) as Page;
      });
    } finally {
      await jar.close();
    }
  };
  const first = await during(async (call) => {
    for (const display_name of ['a', 'b', 'c'])
      await call('POST', QUERIES, { query: { display_name, query_text: 'x' } });
    return call('GET', `${QUERIES}?page_size=2`);
  });
  const rest = await during((call) => call('GET', `${QUERIES}?page_token=${first.next_page_token}`));
  const names = [...first.results, ...rest.results].map(({ display_name }) => display_name);
  expect(names.toSorted()).toEqual(['a', 'b', 'c']);
});

interface Page {
  readonly results: readonly { readonly display_name: string }[];
  readonly next_page_token?: string;
}

type Call = (method: string, path: string, body?: object) => Promise<Page>;
