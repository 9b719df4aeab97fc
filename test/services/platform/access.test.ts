import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../support/jars.ts';
import { by, control, good, person, refusal } from './support.ts';

const SNIPPETS = '/preview/sql/query_snippets';

onAnyStore('data platform: who calls', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('a call without a credential, with a wrong one, and at an unknown address', async () => {
    const none = await bench.call('GET', `/api/2.0${SNIPPETS}`, { token: null });
    expect(refusal(none)).toMatchObject({ status: 401, code: 401 });
    const wrong = await by(bench, 'dapi00000000000000000000000000000000')('GET', SNIPPETS);
    expect(refusal(wrong)).toEqual({
      status: 403,
      code: 403,
      message: expect.stringMatching(/^Invalid access token\. \[ReqId: /),
    });
    expect(wrong.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(wrong.headers.get('server')).toBe('databricks');
    const ask = await person(bench);
    expect(refusal(await ask('PUT', '/sql/statements'))).toEqual({
      status: 404,
      code: 'ENDPOINT_NOT_FOUND',
      message: "No API found for 'PUT /sql/statements'; this address takes POST",
    });
  });

  it('the first call makes the account; a plain kind is created, read, listed, changed and deleted', async () => {
    const ask = await person(bench);
    const made = await ask('POST', SNIPPETS, { trigger: 'sel', snippet: 'SELECT * FROM' });
    expect(made.status, made.text).toBe(200);
    expect(made.headers.get('x-databricks-org-id')).toMatch(/^\d{15}$/);
    const { id } = made.body;
    expect(refusal(await ask('POST', SNIPPETS, { trigger: 'SEL', snippet: 'x' }))).toMatchObject({
      status: 400,
      code: 'RESOURCE_ALREADY_EXISTS',
    });
    expect(await good(ask('POST', `${SNIPPETS}/${id}`, { description: 'all' }))).toMatchObject({
      trigger: 'sel',
      description: 'all',
    });
    expect(await good(ask('GET', SNIPPETS))).toHaveLength(1);
    const other = await person(bench, 'other');
    expect(await good(other('GET', SNIPPETS))).toEqual([]);
    const workspace = made.headers.get('x-databricks-org-id') as string;
    expect(refusal(await other('GET', SNIPPETS, undefined, { 'x-databricks-org-id': workspace }))).toMatchObject({
      status: 403,
      code: 403,
    });
    await good(ask('DELETE', `${SNIPPETS}/${id}`));
    expect(refusal(await ask('GET', `${SNIPPETS}/${id}`))).toMatchObject({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
    });
  });

  it('a limit that is reached refuses, names itself, and lets go after a delete', async () => {
    const ask = await person(bench);
    await control(bench, 'PATCH', 'limits', { name: 'platform.query-snippets', limit: 2 });
    const [first] = await Promise.all(
      [1, 2].map((n) => good(ask('POST', SNIPPETS, { trigger: `t${n}`, snippet: 'x' }))),
    );
    const refused = await ask('POST', SNIPPETS, { trigger: 't3', snippet: 'x' });
    expect(refusal(refused)).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
    expect(refused.body.details[0].metadata).toMatchObject({
      limit: 'platform.query-snippets',
      value: '2',
      scope: 'Workspace',
      raisable: 'false',
    });
    await good(ask('DELETE', `${SNIPPETS}/${first.id}`));
    await good(ask('POST', SNIPPETS, { trigger: 't3', snippet: 'x' }));
  });

  it('the workspace of a call is that of the host, else of a header, else of the query, else the first', async () => {
    const ask = await person(bench);
    const first = (await ask('GET', SNIPPETS)).headers.get('x-databricks-org-id') as string;
    const { port } = new URL(bench.jar.url);
    const host = (id: string) => ({ host: `${id}.platform.localhost:${port}` });
    const whose = async (path: string, headers: Record<string, string>) => {
      const reply = await ask('GET', path, undefined, headers);
      return reply.status === 200 ? reply.headers.get('x-databricks-org-id') : reply.body.message.split(' [', 1)[0];
    };
    const unauthorized = 'Unauthorized access to workspace: 1';
    expect(await whose(SNIPPETS, host(first))).toBe(first);
    expect(await whose(SNIPPETS, host('1'))).toBe(unauthorized);
    expect(await whose(SNIPPETS, { ...host(first), 'x-databricks-org-id': '1' })).toBe(first);
    expect(await whose(SNIPPETS, { 'x-databricks-workspace-id': first, 'x-databricks-org-id': '1' })).toBe(first);
    expect(await whose(SNIPPETS, { 'x-databricks-org-id': '1' })).toBe(unauthorized);
    expect(await whose(`${SNIPPETS}?o=1`, { 'x-databricks-org-id': first })).toBe(first);
    expect(await whose(`${SNIPPETS}?o=1`, {})).toBe(unauthorized);
    expect(await whose(`${SNIPPETS}?o=${first}`, {})).toBe(first);
  });

  it('credentials of other schemes and for other services are refused', async () => {
    const token = await bench.jar.token({ user: 'admin', audience: 'https://management.vendor.example' });
    expect(refusal(await by(bench, token)('GET', SNIPPETS))).toMatchObject({ status: 403, code: 403 });
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer a b', 'dapi0'])
      expect(
        refusal(await bench.call('GET', `/api/2.0${SNIPPETS}`, { token: null, headers: { authorization } })),
      ).toMatchObject({ status: 401, code: 401 });
    for (const bearer of ['a', 'a.b.c', `${token}x`, 'x'.repeat(10_000)])
      expect(refusal(await by(bench, bearer)('GET', SNIPPETS))).toMatchObject({ status: 403, code: 403 });
  });

  it('JSON is read whatever the content type says, and a body that is none is refused in the words of the platform', async () => {
    const token = await bench.jar.token({ user: 'admin' });
    const post = (body: string) =>
      fetch(`${bench.jar.url}/api/2.0${SNIPPETS}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
    expect((await post('{"trigger":"by curl","snippet":"SELECT"}')).status).toBe(200);
    const refused = await post('{"trigger":');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error_code: 'MALFORMED_REQUEST',
      message: expect.stringMatching(/^Invalid JSON given in the body of the request - failed to parse given JSON/),
    });
  });

  it('the published client reads the code and the details of an error', async () => {
    const client = new WorkspaceClient({ host: bench.jar.url, token: await bench.jar.token({ user: 'admin' }) });
    const refused = await client.workspace.getStatus({ path: '/nope' }).catch((error) => error);
    expect(refused).toMatchObject({
      statusCode: 404,
      errorCode: 'RESOURCE_DOES_NOT_EXIST',
      message: "Path (/nope) doesn't exist.",
    });
  });
});
