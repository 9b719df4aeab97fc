import { expect, it } from 'vitest';
import { quotaCounts } from '../../../../src/kernel/limits/quota-count.ts';
import { LIFECYCLE } from '../../../../src/services/lifecycle/index.ts';
import { subjectRequests } from '../../../../src/services/lifecycle/subject-rights/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { type Bench, onBothStores, type Reply } from '../../../support/jars.ts';
import { joinOrg } from '../orgs/join.ts';
import { SEED, seeded } from '../people.ts';
import { errorAttachment, event, managedError, post, startSession } from '../sdk.ts';
import { by, invitationsTo, type Person, person } from '../support.ts';

const probe = new JarProbe();

/** All keys in all collections of the service, and all quota counts. */
async function allThereIs(): Promise<string[]> {
  const { store } = probe.jar;
  const keys: string[] = [];
  for (const collection of LIFECYCLE.collections ?? []) {
    const { items } = await store.query(collection, { limit: 100_000 });
    keys.push(...items.map(({ key }) => `${collection.name} ${key}`));
  }
  const counts = (await store.query(quotaCounts, { limit: 100_000 })).items.map(
    ({ key, value }) => `${key} ${value.used}`,
  );
  return [...keys, ...counts].sort();
}

/** Fails unless the change succeeds. */
async function must(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body, text } = await reply;
  expect([status < 300, status, text]).toEqual([true, status, text]);
  return body;
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

async function uploadPicture(bench: Bench, { token }: Person, path: string): Promise<void> {
  const form = new FormData();
  form.append('avatar', new Blob([new Uint8Array(PNG)]), 'picture.png');
  const headers = { 'x-api-token': token };
  const answer = await fetch(`${bench.jar.url}/v0.1${path}/avatar`, { method: 'POST', headers, body: form });
  expect(answer.status).toBe(200);
}

const DEVICE = '33333333-3333-4333-8333-333333333333';
const SUBSCRIPTION = { subscription_id: '11111111-1111-4111-8111-111111111111' };

/** Creates everything that can belong to an app. */
async function furnish(bench: Bench, owner: Person, app: string, teammate: Person): Promise<void> {
  await must(owner.call('POST', `${app}/invitations`, { user_email: 'nobody@vendor.example' }));
  await must(owner.call('POST', `${app}/distribution_groups`, { name: 'testers' }));
  const members = { user_emails: [teammate.email, 'nobody@vendor.example'] };
  await must(owner.call('POST', `${app}/distribution_groups/testers/members`, members));
  await must(owner.call('POST', `${app}/azure_subscriptions`, SUBSCRIPTION));
  const { api_token: secret } = await must(owner.call('POST', `${app}/api_tokens`, {}));
  await must(owner.call('POST', `${app}/api_tokens`, { scope: ['viewer'] }));
  await must(by(bench, secret)('GET', app));
  await uploadPicture(bench, owner, app);
  const crash = managedError();
  const logs = [startSession(), event('clicked', { where: 'here' }), crash, errorAttachment(crash.id as string, 'x')];
  expect((await post(bench, await must(owner.call('GET', app)), DEVICE, logs)).status).toBe(200);
  await must(owner.call('POST', `${app}/symbol_uploads`, { symbol_type: 'Breakpad' }));
  await must(owner.call('PUT', `${app}/errors/retention_settings`, { retention_in_days: 28 }));
  await must(owner.call('PUT', `${app}/devices/block_logs/${DEVICE}`, {}));
}

onBothStores(
  'apps, organizations and accounts',
  (bench) => {
    it('leave nothing behind when they are deleted, neither documents nor counts, and their names are free', async () => {
      await seeded(bench, 'stranger').call('GET', '/api_tokens');
      const before = await allThereIs();
      const make = async (): Promise<string[]> => {
        const [una, vic] = [await person(bench, 'una'), await person(bench, 'vic')];
        await must(una.call('POST', '/orgs', { display_name: 'Firm', name: 'firm-1' }));
        await must(una.call('PATCH', '/orgs/firm-1', { name: 'firm' }));
        await uploadPicture(bench, una, '/orgs/firm');
        await joinOrg(bench, una, 'firm', vic, 'collaborator');
        await must(una.call('POST', '/orgs/firm/invitations', { user_email: 'nobody@vendor.example' }));
        await must(vic.call('POST', '/orgs/firm/teams', { display_name: 'Crew', name: 'crew' }));
        await must(una.call('POST', '/orgs/firm/teams/crew/users', { user_email: una.email }));

        const app = { display_name: 'Desk', name: 'desk-1', os: 'Android', platform: 'Java' };
        await must(vic.call('POST', '/orgs/firm/apps', app));
        await must(una.call('PATCH', '/apps/firm/desk-1', { name: 'desk' }));
        await must(una.call('POST', '/orgs/firm/teams/crew/apps', { name: 'desk' }));
        await must(una.call('POST', '/orgs/firm/distribution_groups', { name: 'shared' }));
        await must(una.call('POST', '/orgs/firm/distribution_groups/shared/apps', { apps: [{ name: 'desk' }] }));
        const shared = { user_emails: [vic.email, 'nobody@vendor.example'] };
        await must(una.call('POST', '/orgs/firm/distribution_groups/shared/members', shared));
        await furnish(bench, una, '/apps/firm/desk', vic);
        await must(una.call('POST', '/apps/firm/desk/transfer/una', {}));
        await must(una.call('POST', '/apps/una/desk/transfer/firm', {}));
        await must(una.call('POST', '/orgs/firm/teams/crew/apps', { name: 'desk' }));
        await must(una.call('POST', '/apps', { ...app, name: 'own' }));
        await furnish(bench, una, '/apps/una/own', vic);

        await must(una.call('DELETE', '/apps/firm/desk'));
        await must(una.call('DELETE', '/apps/una/own'));
        await must(vic.call('POST', '/user/dsr/export', {}));
        const { token } = await must(una.call('POST', '/user/dsr/delete', {}));
        await must(una.call('POST', `/user/dsr/delete/${token}/cancel`, { email: una.email }));
        await bench.jar.clock.advance('1d');
        // Deleting the last admin's account also deletes an organization without other members.
        const receipts = [(await must(vic.call('POST', '/user/dsr/delete', {}))).token];
        await bench.jar.clock.advance('30d');
        receipts.push((await must(una.call('POST', '/user/dsr/delete', {}))).token);
        await bench.jar.clock.advance('30d');
        expect((await una.call('GET', '/user')).status).toBe(401);
        expect(await invitationsTo(bench, 'nobody@vendor.example')).toEqual([]);
        return receipts;
      };
      const receipts = [...(await make()), ...(await make())];
      const kept = receipts.map((token) => `${subjectRequests.name} ${token}`);
      expect(await allThereIs()).toEqual([...before, ...kept].sort());
    });
  },
  { seed: SEED, services: [...SERVICES, probe.service] },
);
