import { beforeAll, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { generatedClient } from '../clients/generated-client.ts';
import { SEED, seeded } from '../people.ts';
import type { Person } from '../support.ts';

const GROUPS = '/apps/owner/phone/distribution_groups';
const SHARED = '/orgs/acme/distribution_groups';

withJar(
  (bench) => {
    let owner: Person;
    let admin: Person;
    const limit = async (name: string, limit: number) => {
      const answer = await bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body: { name, limit } });
      expect(answer.status).toBe(200);
    };

    beforeAll(async () => {
      [owner, admin] = [seeded(bench, 'owner'), seeded(bench, 'org-admin')];
      expect((await owner.call('POST', GROUPS, { name: 'taken' })).status).toBe(201);
      expect((await admin.call('POST', SHARED, { name: 'all' })).status).toBe(201);
    });

    const manyAddresses = Array.from({ length: 1001 }, (_, i) => `a${i}@vendor.example`);

    it.each([
      ['no name', 'POST', GROUPS, {}, 400, 'name'],
      ['an empty name', 'POST', GROUPS, { name: '' }, 400, 'name'],
      ['a name that is too long', 'POST', GROUPS, { name: 'x'.repeat(101) }, 400, 'name'],
      ['a name with a slash', 'POST', GROUPS, { name: 'a/b' }, 400, 'name'],
      ['a name of spaces', 'POST', GROUPS, { name: '  ' }, 400, 'name'],
      ['a name that addresses take for a step up', 'POST', GROUPS, { name: '..' }, 400, 'name'],
      ['a name with half a sign', 'POST', GROUPS, { name: 'x\ud800' }, 400, 'name'],
      ['a name that is taken', 'POST', GROUPS, { name: 'TAKEN' }, 409, 'TAKEN'],
      ['a public flag that is none', 'PATCH', `${GROUPS}/taken`, { is_public: 'yes' }, 400, 'is_public'],
      ['a group that there is not', 'GET', `${GROUPS}/none`, undefined, 404, "'none'"],
      ['the removal of such a group', 'DELETE', `${GROUPS}/none`, undefined, 404, "'none'"],
      ['members of such a group', 'POST', `${GROUPS}/none/members`, { user_emails: ['a@b.example'] }, 404, "'none'"],
      ['no addresses', 'POST', `${GROUPS}/taken/members`, { user_emails: [] }, 400, 'user_emails'],
      ['no list of them', 'POST', `${GROUPS}/taken/members`, {}, 400, 'user_emails'],
      ['too many of them', 'POST', `${GROUPS}/taken/members`, { user_emails: manyAddresses }, 400, 'user_emails'],
    ])('refuses %s', async (_, method, path, body, status, message) => {
      const answer = await owner.call(method, path, body);
      expect(answer.status).toBe(status);
      expect(answer.body.error.message).toContain(message);
      expect((await owner.call('GET', GROUPS)).body).toHaveLength(1);
      expect((await owner.call('GET', `${GROUPS}/taken/members`)).body).toEqual([]);
    });

    it.each([
      ['an app of another owner', [{ name: 'desk' }, { name: 'phone' }], 404, "'phone'"],
      ['no apps', [], 400, 'apps'],
      ['an app without a name', [{}], 400, 'name'],
    ])('gives a shared group none of %s', async (_, apps, status, message) => {
      const answer = await admin.call('POST', `${SHARED}/all/apps`, { apps });
      expect(answer.status).toBe(status);
      expect(answer.body.error.message).toContain(message);
      expect((await admin.call('GET', `${SHARED}/all/apps`)).body).toEqual([]);
    });

    it('keeps the names of an app apart, whether its groups are shared or its own', async () => {
      const ofDesk = '/apps/acme/desk/distribution_groups';
      expect((await admin.call('POST', ofDesk, { name: 'own' })).status).toBe(201);
      await admin.call('POST', SHARED, { name: 'OWN' });
      const desk = { apps: [{ name: 'desk' }] };
      expect((await admin.call('POST', `${SHARED}/own/apps`, desk)).status).toBe(409);
      expect((await admin.call('POST', `${SHARED}/all/apps`, desk)).status).toBe(204);
      expect((await admin.call('PATCH', `${ofDesk}/own`, { name: 'ALL' })).status).toBe(409);
      await admin.call('DELETE', `${SHARED}/own`);
      expect((await admin.call('PATCH', `${SHARED}/all`, { name: 'own' })).status).toBe(409);
      expect((await admin.call('PATCH', `${SHARED}/all`, { name: 'All' })).body.name).toBe('All');
      await admin.call('PATCH', `${SHARED}/all`, { name: 'all' });
      await admin.call('POST', `${SHARED}/all/apps/bulk_delete`, desk);
    });

    it('the generated client works with the distribution groups of an app', async () => {
      const { distributionGroups: groups } = generatedClient(bench, seeded(bench, 'owner').token);
      expect(await groups?.create?.('owner', 'phone', 'Beta Testers')).toMatchObject({ displayName: 'Beta Testers' });
      const group = ['owner', 'phone', 'Beta Testers'] as const;
      const userEmails = ['later@vendor.example', 'stranger@vendor.example'];
      const added = await groups?.addUser?.(...group, { userEmails });
      expect(added).toMatchObject([
        { userEmail: 'later@vendor.example', status: 200, invitePending: true },
        { userEmail: 'stranger@vendor.example', status: 200 },
      ]);
      const members = await groups?.listUsers?.(...group, { excludePendingInvitations: true });
      expect(members).toMatchObject([{ name: 'stranger' }]);
      const removed = await groups?.removeUser?.(...group, { userEmails });
      expect(removed).toMatchObject([{ status: 200 }, { status: 200 }]);
      await groups?.update?.(...group, { name: 'Alpha', isPublic: true });
      expect(await groups?.list?.('owner', 'phone')).toMatchObject([
        { name: 'Alpha', isPublic: true },
        { name: 'taken' },
      ]);
      // The client swaps the two names here.
      await groups?.delete?.('phone', 'owner', 'Alpha');
      await expect(groups?.get?.('owner', 'phone', 'Alpha')).rejects.toMatchObject({ statusCode: 404 });
    });

    it('the generated client works with those that apps of an organization share', async () => {
      const { distributionGroups: groups } = generatedClient(bench, seeded(bench, 'org-admin').token);
      expect(await groups?.createForOrg?.('acme', 'friends')).toMatchObject({ name: 'friends' });
      expect(await groups?.listForOrg?.('acme')).toMatchObject([{ name: 'all' }, { name: 'friends', isPublic: false }]);
      await groups?.addApps?.('acme', 'friends', { apps: [{ name: 'desk' }] });
      await groups?.addUsersForOrg?.('acme', 'friends', { userEmails: ['owner@vendor.example'] });
      expect(await groups?.detailsForOrg?.('acme', { appsLimit: 5 })).toMatchObject([
        { name: 'all', totalAppsCount: 0 },
        { totalAppsCount: 1, totalUsersCount: 1, apps: [{ name: 'desk' }] },
      ]);
      await groups?.bulkDeleteUsers?.('acme', 'friends', { userEmails: ['owner@vendor.example'] });
      await groups?.bulkDeleteApps?.('acme', 'friends', { apps: [{ name: 'desk' }] });
      await groups?.deleteForOrg?.('acme', 'friends');
      expect(await groups?.listForOrg?.('acme')).toHaveLength(1);
    });

    it('are changed by developers of the app and by collaborators of the organization, not by those below', async () => {
      for (const [who, path] of [
        ['viewer', GROUPS],
        ['member', SHARED],
        ['developer', SHARED],
      ] as const) {
        expect((await seeded(bench, who).call('POST', path, { name: 'mine' })).status).toBe(403);
      }
      expect((await seeded(bench, 'member').call('GET', `${SHARED}/all`)).status).toBe(200);
    });

    it('has a full app or a full group refuse more, and count what went away', async () => {
      await limit('lifecycle.testers', 2);
      const add = (...user_emails: string[]) => owner.call('POST', `${GROUPS}/taken/members`, { user_emails });
      const [a, b, c] = ['a@vendor.example', 'b@vendor.example', 'c@vendor.example'] as const;
      const refused = await add(a, b, c);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
      expect((await owner.call('GET', `${GROUPS}/taken/members`)).body).toEqual([]);
      expect((await add(a, b)).status).toBe(200);
      expect((await add(c)).status).toBe(400);
      await owner.call('POST', `${GROUPS}/taken/members/bulk_delete`, { user_emails: [a] });
      expect((await add(c)).status).toBe(200);

      await limit('lifecycle.distribution-groups', 2);
      expect((await owner.call('POST', GROUPS, { name: 'second' })).status).toBe(201);
      expect((await owner.call('POST', GROUPS, { name: 'third' })).status).toBe(400);
      await owner.call('DELETE', `${GROUPS}/second`);
      expect((await owner.call('POST', GROUPS, { name: 'third' })).status).toBe(201);
    });
  },
  { seed: SEED },
);
