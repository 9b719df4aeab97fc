import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onBothStores, withJar } from '../benches.ts';
import { type Books, errorOf, openBooks } from '../support.ts';

onBothStores('a record of a company', (bench) => {
  let books: Books;
  beforeEach(async () => {
    books ??= await openBooks(bench);
  });

  it('is made with the defaults of its table, and its address leads to it', async () => {
    const made = await books.post('customers', { displayName: 'Harbour Lights' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      displayName: 'Harbour Lights',
      type: 'Company',
      blocked: '_x0020_',
      balanceDue: 0,
      taxLiable: false,
      currencyId: '00000000-0000-0000-0000-000000000000',
      city: '',
    });
    expect(made.body.number).not.toBe('');
    expect(made.body['@odata.context']).toBe(
      `${bench.jar.url}/api/v2.0/$metadata#companies(${books.id})/customers/$entity`,
    );
    expect(made.headers.get('odata-version')).toBe('4.0');
    expect(made.headers.get('content-type')).toBe('application/json; odata.metadata=minimal');
    const found = await books.get(made.headers.get('location') as string);
    expect(found.body).toEqual(made.body);
  });

  it('has an etag that changes with every write, in the form that clients know', async () => {
    const made = await books.make('customers', { displayName: 'Tagged' });
    const tag: string = made['@odata.etag'];
    expect(Buffer.from(/^W\/"(.+)"$/.exec(tag)?.[1] ?? '', 'base64').toString()).toMatch(/^'19;\d{19}1;00;'$/);
    const changed = await books.patch(`customers(${made.id})`, { city: 'Oslo' }, { headers: { 'if-match': tag } });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ displayName: 'Tagged', city: 'Oslo' });
    expect(changed.body['@odata.etag']).not.toBe(tag);
  });

  it('is changed only with its current etag', async () => {
    const made = await books.make('customers', { displayName: 'Contended' });
    const path = `customers(${made.id})`;
    expect(errorOf(await books.patch(path, { city: 'A' }, { headers: { 'if-match': '' } }))).toMatchObject({
      status: 400,
      code: 'BadRequest_InvalidToken',
    });
    expect(errorOf(await books.patch(path, { city: 'A' }, { headers: { 'if-match': 'nonsense' } }))).toMatchObject({
      status: 400,
      code: 'BadRequest_InvalidToken',
    });
    await books.patch(path, { city: 'B' });
    const stale = await books.patch(path, { city: 'C' }, { headers: { 'if-match': made['@odata.etag'] } });
    expect(errorOf(stale)).toMatchObject({ status: 409, code: 'Request_EntityChanged' });
    const deleted = await books.delete(path, { headers: { 'if-match': made['@odata.etag'] } });
    expect(errorOf(deleted)).toMatchObject({ status: 409, code: 'Request_EntityChanged' });
    expect((await books.get(path)).body.city).toBe('B');
  });

  it('is gone when it is deleted, with or without its tag', async () => {
    for (const withTag of [true, false]) {
      const made = await books.make('customers', { displayName: 'Short-lived' });
      const headers: Record<string, string> = withTag ? { 'if-match': made['@odata.etag'] } : {};
      expect((await books.delete(`customers(${made.id})`, { headers })).status).toBe(204);
      expect(errorOf(await books.get(`customers(${made.id})`))).toMatchObject({
        status: 404,
        code: 'Internal_RecordNotFound',
      });
      expect((await books.delete(`customers(${made.id})`)).status).toBe(404);
    }
  });

  it('of several writers with the same version, one wins', async () => {
    const made = await books.make('customers', { displayName: 'Raced' });
    const headers = { 'if-match': made['@odata.etag'] };
    const replies = await Promise.all(
      ['a', 'b', 'c', 'd'].map((city) => books.patch(`customers(${made.id})`, { city }, { headers })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it('takes an id that the client chose, once', async () => {
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    expect((await books.post('customers', { id, displayName: 'Own id' })).body.id).toBe(id);
    expect(errorOf(await books.post('customers', { id: id.toUpperCase(), displayName: 'Again' }))).toMatchObject({
      status: 409,
      code: 'Internal_EntityWithSameKeyExists',
    });
  });

  it('has a number that no other has, however many ask for it at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) => books.post('customers', { number: 'same-1', displayName: `N${i}` })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 201)?.body.number).toBe('SAME-1');
    const numbered = await Promise.all(
      Array.from({ length: 6 }, () => books.make('customers', { displayName: 'Next' })),
    );
    expect(new Set(numbered.map(({ number }) => number)).size).toBe(6);
  });

  it('refers to others by id or by code, and has both', async () => {
    const term = await books.make('paymentTerms', { code: 'net9', displayName: 'Nine days', dueDateCalculation: '9D' });
    const currency = await books.make('currencies', { code: 'zzz', displayName: 'Zed' });
    const byCode = await books.make('customers', { displayName: 'By code', currencyCode: 'zzz' });
    expect(byCode).toMatchObject({ currencyId: currency.id, currencyCode: 'ZZZ' });
    const byId = await books.make('customers', {
      displayName: 'By id',
      currencyId: currency.id,
      paymentTermsId: term.id,
    });
    expect(byId).toMatchObject({ currencyId: currency.id, currencyCode: 'ZZZ', paymentTermsId: term.id });
    const cleared = await books.patch(`customers(${byId.id})`, { currencyCode: '' });
    expect(cleared.body).toMatchObject({ currencyId: '00000000-0000-0000-0000-000000000000', currencyCode: '' });
    expect(errorOf(await books.post('customers', { displayName: 'Nobody', currencyCode: 'NONE' }))).toMatchObject({
      status: 400,
      code: 'Internal_InvalidTableRelation',
    });
    expect(errorOf(await books.patch(`customers(${byId.id})`, { paymentTermsId: books.id }))).toMatchObject({
      code: 'Internal_InvalidTableRelation',
    });
  });

  it('is answered without a body on request', async () => {
    for (const prefer of ['return-no-content', 'return=minimal']) {
      const made = await books.post('currencies', { code: prefer.slice(0, 9) }, { headers: { prefer } });
      expect([made.status, made.text]).toEqual([204, '']);
      expect((await books.get(made.headers.get('location') as string)).status).toBe(200);
    }
  });

  it('is invisible to other tenants', async () => {
    const made = await books.make('customers', { displayName: 'Ours' });
    const token = await bench.jar.token({ user: 'other' });
    for (const method of ['GET', 'DELETE']) {
      const reply = await bench.call(method, `${books.path}/customers(${made.id})`, { token });
      expect(errorOf(reply)).toMatchObject({ status: 404, code: 'Internal_CompanyNotFound' });
    }
    const theirs = await openBooks(bench, 'v2.0', token);
    expect(theirs.id).not.toBe(books.id);
    expect((await theirs.get(`customers(${made.id})`)).status).toBe(404);
  });
});

describe('what a client sends', () => {
  withJar((bench) => {
    let books: Books;
    let id = '';
    beforeAll(async () => {
      books = await openBooks(bench);
      id = (await books.make('customers', { displayName: 'Judge' })).id;
    });

    it.each([
      [
        'a property that is not there',
        { nonsense: 1 },
        400,
        'BadRequest',
        /property 'nonsense' does not exist on the type 'Microsoft.NAV.customer'/,
      ],
      ['a property in another case', { DisplayName: 'x' }, 400, 'BadRequest', /'DisplayName'/],
      [
        'a text that is too long',
        { displayName: 'x'.repeat(101) },
        400,
        'Application_StringExceededLength',
        /101.*100.*displayName/,
      ],
      [
        'a number for a text',
        { displayName: 5 },
        400,
        'Application_EvaluateException',
        /'5' cannot be read as a text for 'displayName'/,
      ],
      ['a text for a number', { creditLimit: '5' }, 400, 'Application_EvaluateException', /a number for 'creditLimit'/],
      ['a number that is too large', { creditLimit: 1e300 }, 400, 'Application_EvaluateException', /creditLimit/],
      [
        'a text for a truth',
        { taxLiable: 'yes' },
        400,
        'Application_EvaluateException',
        /true or false for 'taxLiable'/,
      ],
      ['no member of the enumeration', { blocked: 'Sometimes' }, 400, 'Unknown', /'Ship', 'Invoice', 'All'/],
      ['no guid', { currencyId: 'abc' }, 400, 'Application_InvalidGUID', /currencyId/],
      [
        'what the application writes',
        { balanceDue: 12 },
        400,
        'BadRequest_InvalidOperation',
        /'balanceDue' is read-only/,
      ],
      ['an id of another', { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3399' }, 400, 'BadRequest_InvalidOperation', /'id'/],
      ['lines inside a change', { defaultDimensions: [{}] }, 400, 'BadRequest_InvalidOperation', /defaultDimensions/],
      ['an array', [], 400, 'BadRequest', /must be a JSON object/],
      ['a text', '"x"', 400, 'BadRequest', /must be a JSON object/],
      ['no JSON', '{', 400, 'BadRequest', /not valid JSON/],
    ])('as a change, %s, is refused and changes nothing', async (_title, body, status, code, message) => {
      const before = (await books.get(`customers(${id})`)).text;
      const reply = await books.patch(`customers(${id})`, body);
      expect(errorOf(reply)).toEqual({ status, code, message: expect.stringMatching(message) });
      expect(reply.text).toMatch(/ {2}CorrelationId: {2}[0-9a-f-]{36}\."/);
      expect((await books.get(`customers(${id})`)).text).toBe(before);
    });

    it('may be all that was read before, with one thing changed', async () => {
      const { body } = await books.get(`customers(${id})`);
      const reply = await books.patch(`customers(${id})`, { ...body, city: 'Bergen' });
      expect([reply.status, reply.body.city]).toEqual([200, 'Bergen']);
    });

    it('may spell members of an enumeration either way', async () => {
      for (const type of ['Company', 'Person']) {
        expect((await books.patch(`customers(${id})`, { type })).body.type).toBe(type);
      }
      const term = await books.patch(`customers(${id})`, { blocked: '_x0020_' });
      expect(term.body.blocked).toBe('_x0020_');
      expect((await books.patch(`customers(${id})`, { blocked: ' ' })).status).toBe(200);
    });

    it('may be null, which empties a property', async () => {
      await books.patch(`customers(${id})`, { city: 'Bergen', creditLimit: 5 });
      const reply = await books.patch(`customers(${id})`, { city: null, creditLimit: null });
      expect(reply.body).toMatchObject({ city: '', creditLimit: 0 });
    });

    it('changes nothing with read-only intent', async () => {
      const headers = { 'data-access-intent': 'ReadOnly' };
      expect((await books.get(`customers(${id})`, { headers })).status).toBe(200);
      for (const reply of [
        await books.patch(`customers(${id})`, { city: 'x' }, { headers }),
        await books.delete(`customers(${id})`, { headers }),
        await books.post('customers', { displayName: 'x' }, { headers }),
      ]) {
        expect(errorOf(reply)).toMatchObject({ status: 400, code: 'BadRequest_InvalidOperation' });
      }
    });

    it.each([
      ['POST', 'accounts', 405, 'GET'],
      ['POST', 'dimensions', 405, 'GET'],
      ['DELETE', 'customers', 405, 'GET, POST'],
      ['PATCH', 'customers', 405, 'GET, POST'],
    ])('%s of %s is not allowed, and the answer says what is', async (method, set, status, allow) => {
      const reply = await bench.call(method, `${books.path}/${set}`, { body: {} });
      expect(errorOf(reply)).toMatchObject({ status, code: 'BadRequest_MethodNotAllowed' });
      expect(reply.headers.get('allow')).toBe(allow);
    });

    it('creates no company and changes none', async () => {
      for (const [method, path] of [
        ['POST', '/api/v2.0/companies'],
        ['PATCH', books.path],
        ['DELETE', books.path],
      ] as const) {
        const reply = await bench.call(method, path, { body: {}, headers: { 'if-match': '*' } });
        expect(errorOf(reply)).toMatchObject({ status: 405, code: 'BadRequest_MethodNotAllowed' });
      }
    });
  });
});
