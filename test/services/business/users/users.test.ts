import { expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';

const TENANT = '10000000-0000-4000-8000-000000000001';
const READER = '10000000-0000-4000-8000-0000000000d1';
const API = '/api/v2.0';

onAnyStore('users of the business application', (bench) => {
  const company = async (): Promise<string> => (await bench.call('GET', `${API}/companies`)).body.value[0].id;
  const putUser = (id: string, alias: string, attributes: object) =>
    bench.call('PUT', `/_jar/users/${id}`, {
      token: bench.jar.adminKey,
      body: { username: `${alias}@vendor.example`, alias, attributes },
    });

  it.each([
    ['no token', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a token that is none', { authorization: 'Bearer abc' }],
  ])('%s is 401 with a challenge', async (_, headers) => {
    const reply = await bench.call('GET', `${API}/companies`, {
      token: null,
      headers: headers as Record<string, string>,
    });
    expect(reply.status).toBe(401);
    expect(reply.body.error.code).toBe('Authentication_InvalidCredentials');
    expect(reply.body.error.message).toMatch(/ {2}CorrelationId: {2}[0-9a-f-]{36}\.$/);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer authorization_uri="http:\/\/.+\/common"/);
  });

  it('a token that has expired is 401', async () => {
    const token = await bench.jar.token({ ttl: '10s' });
    await bench.jar.clock.advance('11s');
    const reply = await bench.call('GET', `${API}/companies`, { token });
    expect(reply).toMatchObject({ status: 401, body: { error: { code: 'Authentication_InvalidCredentials' } } });
    expect(reply.body.error.message).toContain('expired');
  });

  it.each([
    ['https://api.businesscentral.dynamics.com', 200],
    ['https://API.businesscentral.vendor.example/', 200],
    ['https://management.azure.com', 401],
    ['https://eventgrid.azure.net', 401],
  ])('a token for the audience %s is answered %i', async (audience, status) => {
    expect((await bench.call('GET', `${API}/companies`, { token: await bench.jar.token({ audience }) })).status).toBe(
      status,
    );
  });

  it.each(['admin', 'licensed', 'delegated-admin', 'no-job-queue', 'app', 'other'])(
    '%s reads and writes',
    async (user) => {
      const token = await bench.jar.token({ user });
      const companies = await bench.call('GET', `${API}/companies`, { token });
      expect(companies.status).toBe(200);
      const customers = `${API}/companies(${companies.body.value[0].id})/customers`;
      const made = await bench.call('POST', customers, { token, body: { displayName: `By ${user}` } });
      expect(made.status).toBe(201);
      const etag = made.body['@odata.etag'];
      const changed = await bench.call('PATCH', `${customers}(${made.body.id})`, {
        token,
        body: { city: 'Ulm' },
        headers: { 'if-match': etag },
      });
      expect(changed).toMatchObject({ status: 200, body: { city: 'Ulm' } });
      expect((await bench.call('DELETE', `${customers}(${made.body.id})`, { token })).status).toBe(204);
    },
  );

  it('a tenant sees nothing of another', async () => {
    const token = await bench.jar.token({ user: 'other' });
    const foreign = await bench.call('GET', `${API}/companies(${await company()})/customers`, { token });
    expect(foreign).toMatchObject({ status: 404, body: { error: { code: 'Internal_CompanyNotFound' } } });
  });

  it.each([
    [`/v2.0/${TENANT}/sandbox/api/v2.0/companies`, 200],
    ['/v2.0/Vendor.Example/sandbox/api/v2.0/companies', 200],
    ['/v2.0/sandbox/api/v2.0/companies', 200],
    ['/v2.0/other.example/sandbox/api/v2.0/companies', 401],
    ['/v2.0/nobody.example/sandbox/api/v2.0/companies', 401],
  ])('%s is answered %i to a user of the first tenant', async (path, status) => {
    expect((await bench.call('GET', path)).status).toBe(status);
  });

  it('a user without a licence is refused', async () => {
    await putUser(READER, 'unlicensed', { jobQueue: true });
    const reply = await bench.call('GET', `${API}/companies`, { token: await bench.jar.token({ user: 'unlicensed' }) });
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'Authorization_PermissionDenied' } } });
  });

  it('a user with read access is refused every change, in a batch too, and nothing is changed', async () => {
    await putUser(READER, 'reader', { licensed: true, businessPermission: 'read' });
    const token = await bench.jar.token({ user: 'reader' });
    const customers = `companies(${await company()})/customers`;
    const before = await bench.call('GET', `${API}/${customers}/$count`, { token });
    expect(before.status).toBe(200);
    const refused = await bench.call('POST', `${API}/${customers}`, { token, body: { displayName: 'X' } });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'Authorization_PermissionDenied' } } });
    expect(refused.body.error.message).toContain('permissions on TableData Customer: Insert');
    const batch = await bench.call('POST', `${API}/$batch`, {
      token,
      headers: { accept: 'application/json', prefer: 'odata.continue-on-error' },
      body: {
        requests: [
          { id: '1', method: 'POST', url: customers, body: { displayName: 'X' } },
          { id: '2', method: 'GET', url: `${customers}?$top=1` },
        ],
      },
    });
    expect(batch.body.responses).toMatchObject([{ status: 403 }, { status: 200 }]);
    expect((await bench.call('GET', `${API}/${customers}/$count`, { token })).text).toBe(before.text);
    await putUser(READER, 'reader', { licensed: true, businessPermission: 'none' });
    const none = await bench.call('GET', `${API}/${customers}`, { token });
    expect(none.body.error.message).toContain('permissions on TableData Customer: Read');
  });

  it('a read-only token does not write', async () => {
    const token = await bench.jar.token({ scope: 'Financials.Read.All' });
    const customers = `${API}/companies(${await company()})/customers`;
    expect((await bench.call('GET', customers, { token })).status).toBe(200);
    const refused = await bench.call('POST', customers, { token, body: { displayName: 'X' } });
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('Financials.ReadWrite.All');
    const writing = await bench.jar.token({ scope: 'Financials.ReadWrite.All' });
    expect((await bench.call('POST', customers, { token: writing, body: { displayName: 'X' } })).status).toBe(201);
    const none = await bench.jar.token({ scope: 'Mail.Read' });
    expect((await bench.call('GET', customers, { token: none })).status).toBe(403);
  });
});
