import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { type Books, errorOf, openBooks } from '../support.ts';

const NAMES = ['Anker', 'Birke', 'Birne', 'Cedar', 'Dahlia', "O'Hara", 'Übersee'];

onBothStores('a list of records', (bench) => {
  let books: Books;
  beforeEach(async () => {
    if (books) return;
    books = await openBooks(bench);
    for (const [i, displayName] of NAMES.entries()) {
      const body = { number: `LIST-${i}`, displayName, city: i % 2 === 0 ? 'Even' : 'Odd', creditLimit: i * 100 };
      await books.make('customers', { ...body, blocked: i === 3 ? 'All' : ' ', type: i < 2 ? 'Person' : 'Company' });
    }
  });

  const namesOf = async (filter: string, options = ''): Promise<string[]> => {
    const own = `number eq 'LIST-*'${filter === '' ? '' : ` and (${filter})`}`;
    const reply = await books.get(`customers?$filter=${encodeURIComponent(own)}${options}`);
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body.value.map(({ displayName }: { displayName: string }) => displayName);
  };

  it.each<[string, string, readonly string[]]>([
    ['by a text', "displayName eq 'Birke'", ['Birke']],
    ['by a text with a quote in it', "displayName eq 'O''Hara'", ["O'Hara"]],
    ['by its beginning', "displayName eq 'Bir*'", ['Birke', 'Birne']],
    ['by its end', "displayName eq '*ne'", ['Birne']],
    ['by its middle', "displayName eq '*ed*'", ['Cedar']],
    ['by both its ends', "displayName eq 'B*e'", ['Birke', 'Birne']],
    ['by anything at all', "displayName eq '*'", NAMES],
    ['by what it does not begin with', "displayName ne 'Bir*'", ['Anker', 'Cedar', 'Dahlia', "O'Hara", 'Übersee']],
    ['with regard to case', "displayName eq 'birke'", []],
    ['without regard to case', "tolower(displayName) eq 'birke'", ['Birke']],
    [
      'by functions',
      "startswith(displayName,'D') or contains(displayName,'eda') or endswith(displayName,'ker')",
      ['Anker', 'Cedar', 'Dahlia'],
    ],
    ['by a part of a text', "substring(displayName,0,3) eq 'Bir'", ['Birke', 'Birne']],
    ['by a number', 'creditLimit ge 500', ["O'Hara", 'Übersee']],
    ['by a range', 'creditLimit gt 100 and creditLimit le 300', ['Birne', 'Cedar']],
    ['by a member', "blocked eq 'All'", ['Cedar']],
    ['by the blank member, escaped', "blocked eq '_x0020_' and type eq 'Person'", ['Anker', 'Birke']],
    ['by the blank member, plain', "blocked eq ' ' and type eq 'Person'", ['Anker', 'Birke']],
    ['by what is in no column', "city eq 'Odd'", ['Birke', 'Cedar', "O'Hara"]],
    [
      'by alternatives of one field',
      "city eq 'Odd' and (displayName eq 'Birke' or displayName eq 'Cedar')",
      ['Birke', 'Cedar'],
    ],
    ['by not', "not (city eq 'Odd')", ['Anker', 'Birne', 'Dahlia', 'Übersee']],
    ['by a guid', 'currencyId eq 00000000-0000-0000-0000-000000000000 and creditLimit eq 0', ['Anker']],
    ['by the time of the last change', 'lastModifiedDateTime gt 2000-01-01T00:00:00Z and creditLimit eq 0', ['Anker']],
    [
      'passing over what it cannot do',
      "defaultDimensions/any(d: d/dimensionCode eq 'X') and displayName eq 'Cedar'",
      ['Cedar'],
    ],
  ])('is filtered %s', async (_title, filter, expected) => {
    expect(await namesOf(filter)).toEqual(expected);
  });

  it.each([
    ["displayName eq 'Cedar' or city eq 'Odd'", 'Application_FilterErrorException', /OR operator.*displayName, city/],
    ["displayName in ('Cedar')", 'Application_FilterErrorException', /schemaversion=2.1/],
    ["contains(tolower(displayName),'ced')", 'Application_FilterErrorException', /schemaversion=2.1/],
    ['nonsense eq 1', 'BadRequest', /no property 'nonsense'/],
    ['displayName eq', 'BadRequest', /\$filter/],
    ['displayName eq 5', 'BadRequest', /cannot be compared/],
    ["blocked eq 'Never'", 'BadRequest_InvalidRequestUrl', /'Never' is not one of/],
  ])('refuses %s', async (filter, code, message) => {
    const reply = await books.get(`customers?$filter=${encodeURIComponent(filter)}`);
    expect(errorOf(reply)).toEqual({ status: 400, code, message: expect.stringMatching(message) });
  });

  it('accepts more with a later schema', async () => {
    const reply = await books.get("customers?$schemaversion=2.1&$filter=displayName in ('Cedar','Anker')");
    expect(reply.body.value.map((each: { displayName: string }) => each.displayName)).toEqual(['Anker', 'Cedar']);
    const nested = await books.get("customers?$schemaversion=2.1&$filter=contains(tolower(displayName),'ceda')");
    expect(nested.body.value).toHaveLength(1);
  });

  it('is in order of the numbers, or of what is asked for, in a column or not', async () => {
    expect(await namesOf('', '&$top=100')).toEqual(NAMES);
    expect(await namesOf('', '&$orderby=displayName desc')).toEqual(NAMES.toReversed());
    expect(await namesOf('', '&$orderby=creditLimit desc')).toEqual(NAMES.toReversed());
    const byCity = await namesOf('', '&$orderby=city desc,displayName');
    expect(byCity).toEqual(['Birke', 'Cedar', "O'Hara", 'Anker', 'Birne', 'Dahlia', 'Übersee']);
  });

  it('shows what is selected, counts, and leaves out', async () => {
    const reply = await books.get(
      "customers?$filter=number eq 'LIST-*'&$select=number,city&$top=2&$skip=1&$count=true",
    );
    expect(reply.body['@odata.count']).toBe(NAMES.length);
    expect(reply.body.value).toEqual([
      { '@odata.etag': expect.any(String), number: 'LIST-1', city: 'Odd' },
      { '@odata.etag': expect.any(String), number: 'LIST-2', city: 'Even' },
    ]);
    expect(reply.body['@odata.context']).toBe(
      `${bench.jar.url}/api/v2.0/$metadata#companies(${books.id})/customers(number,city)`,
    );
    expect(reply.body['@odata.nextLink']).toBeUndefined();
    const count = await books.get("customers/$count?$filter=number eq 'LIST-*'");
    expect([count.text, count.headers.get('content-type')]).toEqual([String(NAMES.length), 'text/plain']);
  });

  it.each([
    '',
    '&$orderby=displayName',
    '&$orderby=city desc',
    "&$filter=number eq 'LIST-*'&$orderby=creditLimit desc",
  ])('goes on page by page, and gives every record once (%s)', async (extra) => {
    const whole = (await books.get(`customers?$select=id${extra}`)).body.value.map(({ id }: { id: string }) => id);
    const seen: string[] = [];
    let next: string | undefined = `customers?$select=id${extra}`;
    while (next !== undefined) {
      const page = await books.get(next, { headers: { prefer: 'odata.maxpagesize=3' } });
      expect(page.headers.get('preference-applied')).toBe('odata.maxpagesize=3');
      expect(page.body.value.length).toBeLessThanOrEqual(3);
      seen.push(...page.body.value.map(({ id }: { id: string }) => id));
      next = page.body['@odata.nextLink'];
      if (next !== undefined) {
        expect(next).toMatch(/aid=FIN&\$skiptoken=[0-9a-f-]{36}$/);
        expect(next).toContain('$select=id');
      }
    }
    expect(seen).toEqual(whole);
  });

  it('carries what is left of $top from page to page, and ends there', async () => {
    const headers = { prefer: 'maxpagesize=2' };
    const first = await books.get("customers?$filter=number eq 'LIST-*'&$top=5", { headers });
    expect(first.body['@odata.nextLink']).toMatch(/\$top=3&aid=FIN/);
    const second = await books.get(first.body['@odata.nextLink'], { headers });
    expect(second.body['@odata.nextLink']).toMatch(/\$top=1&aid=FIN/);
    const third = await books.get(second.body['@odata.nextLink'], { headers });
    expect(third.body.value).toHaveLength(1);
    expect(third.body['@odata.nextLink']).toBeUndefined();
    const small = await books.get('customers?$top=2', { headers });
    expect(small.body['@odata.nextLink']).toBeUndefined();
  });

  it('cannot continue after a row that is gone', async () => {
    const made = await books.make('customers', { number: 'LAST-1', displayName: 'Gone' });
    await books.delete(`customers(${made.id})`);
    const reply = await books.get(`customers?aid=FIN&$skiptoken=${made.id}`);
    expect(errorOf(reply)).toMatchObject({ status: 400, code: 'SkipTokenIsNoLongerValid' });
  });

  it.each([
    '$top=-1',
    '$top=x',
    '$skip=1.5',
    '$count=maybe',
    '$select=nonsense',
    '$orderby=nonsense',
    '$expand=nonsense',
    '$top=1&$top=2',
    '$search=x',
  ])('refuses %s', async (query) => {
    const reply = await books.get(`customers?${query}`);
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(502);
    expect(reply.body.error.code).toMatch(/^BadRequest|^Application_FilterError/);
  });
});
