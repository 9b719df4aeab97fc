import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

const PATH = '/platform/limit-increases';
const OPERATOR = 'platform/limit-increases';
const SCOPES = 'platform.secret-scopes';

const inForce = async (ask: Ask): Promise<number> => {
  const { limits } = await good(ask('GET', '/platform/limits?resource=Secrets&scope=Workspace'));
  return limits.find(({ name }: { name: string }) => name === SCOPES).in_force;
};

onBothStores('data platform: requests for higher limits', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('an administrator asks, the operator approves, and the limit is higher in that workspace only', async () => {
    const ask = await person(bench);
    const made = await good(ask('POST', PATH, { limit: 'secret-scopes', requested: 2000, reason: 'many teams' }));
    expect(made).toMatchObject({ limit: SCOPES, current: 1000, requested: 2000, state: 'PENDING' });
    expect(Object.keys(made.scope)).toEqual(['workspace']);
    expect(await inForce(ask)).toBe(1000);
    const [listed] = (await control(bench, 'GET', OPERATOR)).body.value;
    expect(listed).toMatchObject({ id: made.id, state: 'PENDING', reason: 'many teams' });
    const approved = await control(bench, 'POST', `${OPERATOR}/${made.id}/approve`, { limit: 1500 });
    expect(approved.body).toMatchObject({ state: 'APPROVED', granted: 1500, requested: 2000 });
    expect(await inForce(ask)).toBe(1500);
    expect(await inForce(await person(bench, 'other'))).toBe(1000);
    expect(await good(ask('GET', `${PATH}/${made.id}`))).toMatchObject({ state: 'APPROVED', granted: 1500 });
    expect((await good(ask('GET', PATH))).limit_increases).toHaveLength(1);
    const again = await control(bench, 'POST', `${OPERATOR}/${made.id}/approve`);
    expect([again.status, again.body.error.code]).toEqual([409, 'IncreaseDecided']);
  });

  it('a request is refused with a reason, or withdrawn, and another one can follow', async () => {
    const ask = await person(bench);
    const wanted = { limit: SCOPES, requested: 1001, reason: 'one more' };
    const first = await good(ask('POST', PATH, wanted));
    expect(refusal(await ask('POST', PATH, wanted))).toMatchObject({ status: 400, code: 'RESOURCE_ALREADY_EXISTS' });
    await control(bench, 'POST', `${OPERATOR}/${first.id}/refuse`, { reason: 'use fewer' });
    expect(await good(ask('GET', `${PATH}/${first.id}`))).toMatchObject({ state: 'REFUSED', refusal: 'use fewer' });
    const second = await good(ask('POST', PATH, wanted));
    await good(ask('DELETE', `${PATH}/${second.id}`));
    expect(await good(ask('GET', `${PATH}/${second.id}`))).toMatchObject({ state: 'WITHDRAWN' });
    expect(refusal(await ask('DELETE', `${PATH}/${second.id}`))).toMatchObject({ status: 400, code: 'INVALID_STATE' });
    expect((await control(bench, 'POST', `${OPERATOR}/${second.id}/approve`)).status).toBe(409);
    expect(await inForce(ask)).toBe(1000);
  });

  it('concurrent requests for the same increase create one request', async () => {
    const ask = await person(bench);
    const wanted = { limit: SCOPES, requested: 1001, reason: 'race' };
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask('POST', PATH, wanted)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each([
    [{}, 'INVALID_PARAMETER_VALUE', 'Missing required field: limit'],
    [{ limit: 'nothing', requested: 5, reason: 'x' }, 'INVALID_PARAMETER_VALUE', "There is no limit 'nothing'"],
    [{ limit: 'saved-jobs', requested: 20_000, reason: 'x' }, 'INVALID_PARAMETER_VALUE', 'is fixed'],
    [{ limit: 'user-tokens', requested: 20_000, reason: 'x' }, 'INVALID_PARAMETER_VALUE', 'is fixed'],
    [
      { limit: 'serverless', requested: 20_000, reason: 'x' },
      'INVALID_PARAMETER_VALUE',
      'is unlimited until it is set',
    ],
    [{ limit: 'secret-scopes', requested: 1000, reason: 'x' }, 'INVALID_PARAMETER_VALUE', 'must be more than 1000'],
    [{ limit: 'secret-scopes', requested: 1.5, reason: 'x' }, 'MALFORMED_REQUEST', "'requested' must be an integer"],
    [{ limit: 'secret-scopes', requested: 1500, reason: '' }, 'INVALID_PARAMETER_VALUE', "'reason' must be"],
  ])('a request that makes no sense is refused: %j', async (body, code, message) => {
    const ask = await person(bench);
    const reply = await ask('POST', PATH, body);
    expect(refusal(reply)).toEqual({ status: 400, code, message: expect.stringContaining(message) });
    expect((await good(ask('GET', PATH))).limit_increases).toEqual([]);
  });

  it('only administrators can request, and requests of another account are not visible', async () => {
    const ask = await person(bench);
    const { id } = await good(ask('POST', PATH, { limit: SCOPES, requested: 1001, reason: 'x' }));
    const reader = await person(bench, 'licensed');
    const wanted = { limit: SCOPES, requested: 1001, reason: 'x' };
    expect(refusal(await reader('POST', PATH, wanted))).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
    expect((await (await person(bench, 'other'))('GET', `${PATH}/${id}`)).status).not.toBe(200);
    expect((await control(bench, 'POST', `${OPERATOR}/nothing/approve`)).status).toBe(404);
    const low = await control(bench, 'POST', `${OPERATOR}/${id}/approve`, { limit: 5 });
    expect([low.status, low.body.error.target]).toEqual([400, 'limit']);
    expect((await control(bench, 'POST', `${OPERATOR}/${id}/refuse`, {})).status).toBe(400);
  });

  it('an account-wide limit is raised for the account', async () => {
    const ask = await person(bench);
    const made = await good(ask('POST', PATH, { limit: 'principals', requested: 20_000, reason: 'growth' }));
    expect(Object.keys(made.scope)).toEqual(['account']);
    await control(bench, 'POST', `${OPERATOR}/${made.id}/approve`);
    const { limits } = await good(ask('GET', '/platform/limits?resource=identity'));
    const row = limits.find(({ name }: { name: string }) => name === 'platform.principals');
    expect(row.in_force).toBe(20_000);
  });
});
