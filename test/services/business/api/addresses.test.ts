import { beforeAll, describe, expect, it } from 'vitest';
import { withJar } from '../benches.ts';
import { type Books, errorOf, openBooks } from '../support.ts';

const TENANT = '10000000-0000-4000-8000-000000000001';

describe('an address', () => {
  withJar((bench) => {
    let books: Books;
    let name = '';
    beforeAll(async () => {
      books = await openBooks(bench);
      name = (await bench.call('GET', books.path)).body.name;
    });

    it.each([
      (id: string) => `/api/v2.0/companies(${id})/paymentTerms`,
      (id: string) => `/api/V2.0/Companies(${id.toUpperCase()})/PaymentTerms`,
      (id: string) => `/api/v2.0/companies('${id}')/paymentTerms`,
      (id: string) => `/api/v2.0/companies(id=${id})/paymentTerms`,
      (id: string) => `/api/v2.0/companies%28${id}%29/paymentTerms/`,
      (id: string) => `/api/v2.0/paymentTerms?company=${id}`,
      () => `/api/v2.0/paymentTerms?company=${encodeURIComponent(name)}`,
      (id: string) => `/v2.0/Production/api/v2.0/companies(${id})/paymentTerms`,
      (id: string) => `/v2.0/${TENANT}/Sandbox/api/v2.0/companies(${id})/paymentTerms`,
      (id: string) => `/v2.0/vendor.example/Sandbox/api/v1.0/companies(${id})/paymentTerms`,
      (id: string) => `/api/v1.0/companies(${id})/paymentTerms`,
    ])('leads to the payment terms of a company (%#)', async (addressOf) => {
      const reply = await bench.call('GET', addressOf(books.id));
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body.value).toEqual(expect.any(Array));
      const [base] = addressOf(books.id).split(/\/(?:companies|paymentTerms)/i);
      expect(reply.body['@odata.context']).toContain(`${bench.jar.url}${base}/$metadata#`);
    });

    it.each([
      ['/api/v2.0/paymentTerms', 404, 'Internal_CompanyNotFound'],
      ['/api/v2.0/paymentTerms?company=nobody', 404, 'Internal_CompanyNotFound'],
      ['/api/v2.0/companies(00000000-0000-0000-0000-000000000009)/customers', 404, 'Internal_CompanyNotFound'],
      ['/api/v2.0/nonsense?company={id}', 404, 'BadRequest_ResourceNotFound'],
      ['/api/v2.0/companies({id})/nonsense', 404, 'BadRequest_ResourceNotFound'],
      ['/api/v2.0/companies({id})/companies', 404, 'BadRequest_ResourceNotFound'],
      ['/api/v2.0/companies({id})/customers(5)', 400, 'BadRequest_NotFound'],
      ['/api/v2.0/companies({id})/customers()', 400, 'BadRequest_NotFound'],
      ["/api/v2.0/companies({id})/customers('x)", 400, 'BadRequest_NotFound'],
      ['/api/v2.0/companies({id})/customers/nonsense', 404, 'BadRequest_ResourceNotFound'],
      ['/api/v2.0/companies({id})/customers/$value', 404, 'BadRequest_ResourceNotFound'],
      ['/api/v9.0/companies', 404, 'BadRequest_ResourceNotFound'],
      ['/api/nobody/nothing/v1.0/companies', 404, 'BadRequest_ResourceNotFound'],
      ['/v2.0/other.example/Production/api/v2.0/companies', 401, 'Authentication_InvalidCredentials'],
    ])('%s is refused', async (path, status, code) => {
      expect(errorOf(await bench.call('GET', path.replace('{id}', books.id)))).toMatchObject({ status, code });
    });

    it('without a token is refused, in the shape of this API', async () => {
      const reply = await bench.call('GET', '/api/v2.0/companies', { token: null });
      expect(errorOf(reply)).toMatchObject({ status: 401, code: 'Authentication_InvalidCredentials' });
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer /);
    });

    it('of an API lists its sets', async () => {
      const service = await bench.call('GET', '/api/v2.0/');
      expect(service.body.value).toContainEqual({ name: 'customers', kind: 'EntitySet', url: 'customers' });
      const metadata = await bench.call('GET', '/api/v2.0/$metadata');
      expect(metadata.headers.get('content-type')).toBe('application/xml');
      expect(metadata.text).toContain('<EntityType Name="customer">');
      const definitions = await bench.call('GET', '/api/v2.0/entityDefinitions');
      expect(definitions.body.value.length).toBeGreaterThan(22);
      expect((await bench.call('POST', '/api/v2.0/$metadata', { body: {} })).status).toBe(405);
    });

    it('is named in metrics by its target', async () => {
      await books.get('customers');
      const metrics = await bench.call('GET', '/_jar/metrics', { token: bench.jar.adminKey });
      expect(metrics.text).toContain('customers_List');
    });
  });
});
