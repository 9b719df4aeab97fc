import { expect, it, onTestFinished } from 'vitest';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { SEED } from '../people.ts';

const PHONE = '/apps/owner/phone';

async function ask({ url }: TestJar, token: string, method: string, path: string, body?: object) {
  const answer = await fetch(`${url}/v0.1${path}`, {
    method,
    headers: { 'x-api-token': token, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

const OWNER = 'seeded-token-of-owner';
const MANAGER = 'seeded-token-of-manager';
const ADMIN = 'seeded-token-of-org-admin';
const MEMBER = 'seeded-token-of-member';

it('a token that one node deletes, and a role that it takes from a person or a team, are gone on the other with the next request', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'tokens');
  const open = async () => {
    const jar = await startJar({ databaseUrl, seed: SEED, secretKey: 'B'.repeat(43), clock: 'shifted' });
    onTestFinished(() => jar.close());
    return jar;
  };
  const [one, other] = [await open(), await open()];
  const TEAM = '/orgs/acme/teams/crew';
  await ask(one, ADMIN, 'POST', '/orgs/acme/teams', { display_name: 'Crew', name: 'crew' });
  await ask(one, ADMIN, 'POST', `${TEAM}/users`, { user_email: 'member@vendor.example' });
  for (let round = 0; round < 25; round++) {
    const made = await ask(one, OWNER, 'POST', '/api_tokens', {});
    const { id, api_token: secret } = made.body;
    expect((await ask(other, secret, 'GET', PHONE)).status).toBe(200);
    await ask(one, OWNER, 'DELETE', `/api_tokens/${id}`);
    expect((await ask(other, secret, 'GET', PHONE)).status).toBe(401);

    const inviting = { user_email: `guest-${round}@vendor.example` };
    const setRole = (role: string) =>
      ask(one, OWNER, 'PATCH', `${PHONE}/users/manager@vendor.example`, { permissions: [role] });
    expect((await setRole('manager')).status).toBe(204);
    expect((await ask(other, MANAGER, 'POST', `${PHONE}/invitations`, inviting)).status).toBe(204);
    expect((await setRole('viewer')).status).toBe(204);
    expect((await ask(other, MANAGER, 'POST', `${PHONE}/invitations`, inviting)).status).toBe(403);

    await ask(one, ADMIN, 'POST', `${TEAM}/apps`, { name: 'desk' });
    expect((await ask(other, MEMBER, 'GET', '/apps/acme/desk')).status).toBe(200);
    await ask(one, ADMIN, 'DELETE', `${TEAM}/apps/desk`);
    expect((await ask(other, MEMBER, 'GET', '/apps/acme/desk')).status).toBe(404);
  }
});
