import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import { invitationsTo, makeApp, type Person, person } from '../support.ts';

onBothStores(
  'an app that changes hands',
  (bench) => {
    const transfer = (who: Person, app: string, to: string) => who.call('POST', `/apps/${app}/transfer/${to}`, {});

    it('keeps its id, secret and collaborators, who become members of the organization', async () => {
      const [collaborator, ada] = [seeded(bench, 'collaborator'), await person(bench, 'ada')];
      const before = await makeApp(collaborator, 'tool');
      await collaborator.call('POST', '/apps/collaborator/tool/invitations', { user_email: ada.email, role: 'viewer' });
      const [token] = await invitationsTo(bench, ada.email);
      await ada.call('POST', `/user/invitations/apps/${token}/accept`, {});

      const moved = await transfer(collaborator, 'collaborator/tool', 'Acme');
      expect(moved).toMatchObject({
        status: 200,
        body: {
          id: before.id,
          app_secret: before.app_secret,
          owner: { name: 'acme', type: 'org' },
          member_permissions: ['manager'],
        },
      });
      expect((await collaborator.call('GET', '/apps/collaborator/tool')).status).toBe(404);
      expect((await ada.call('GET', '/orgs/acme/apps')).body).toMatchObject([{ name: 'tool' }]);
      // The previous owner remains a collaborator, but is no longer the owner.
      expect((await collaborator.call('DELETE', '/apps/acme/tool')).status).toBe(403);
      const people = (await collaborator.call('GET', '/apps/acme/tool/users')).body;
      expect(people).toMatchObject([{ name: 'ada' }, { name: 'collaborator' }]);

      const admin = seeded(bench, 'org-admin');
      const taken = await transfer(admin, 'acme/tool', 'org-admin');
      expect(taken.body).toMatchObject({ id: before.id, owner: { name: 'org-admin', type: 'user' } });
      expect((await collaborator.call('GET', '/apps/org-admin/tool')).body.member_permissions).toEqual(['manager']);
      expect((await collaborator.call('DELETE', `/apps/org-admin/tool/users/${admin.email}`)).status).toBe(400);
      expect((await transfer(admin, 'org-admin/tool', 'org-admin')).status).toBe(400);
    });

    it('leaves the teams of its organization behind', async () => {
      const [admin, member] = [seeded(bench, 'org-admin'), seeded(bench, 'member')];
      await admin.call('POST', '/orgs/acme/apps', { display_name: 'shared', os: 'Linux', platform: 'Electron' });
      await admin.call('POST', '/orgs/acme/teams', { display_name: 'Testing', name: 'testing' });
      await admin.call('POST', '/orgs/acme/teams/testing/users', { user_email: member.email });
      await admin.call('POST', '/orgs/acme/teams/testing/apps', { name: 'shared' });
      await admin.call('PATCH', '/orgs/acme/teams/testing/apps/shared', { permissions: ['developer'] });
      expect((await member.call('GET', '/apps/acme/shared/teams')).body).toEqual([
        {
          id: expect.any(String),
          name: 'testing',
          display_name: 'Testing',
          description: null,
          permissions: ['developer'],
        },
      ]);
      expect((await member.call('GET', '/apps')).body).toMatchObject([
        { name: 'shared', member_permissions: ['developer'] },
      ]);

      expect((await transfer(admin, 'acme/shared', 'org-admin')).status).toBe(200);
      expect((await member.call('GET', '/apps')).body).toEqual([]);
      expect((await member.call('GET', '/apps/org-admin/shared')).status).toBe(404);
      expect((await admin.call('GET', '/apps/org-admin/shared/teams')).body).toEqual([]);
    });

    it('is not transferred to other users, strangers or missing owners, nor by users who do not own it', async () => {
      const owner = seeded(bench, 'owner');
      expect((await transfer(owner, 'owner/phone', 'manager')).status).toBe(403);
      expect((await transfer(owner, 'owner/phone', 'acme')).status).toBe(404);
      expect((await transfer(owner, 'owner/phone', 'nobody')).status).toBe(404);
      expect((await transfer(seeded(bench, 'manager'), 'owner/phone', 'manager')).status).toBe(403);
      expect((await owner.call('POST', '/apps/owner/phone/transfer/acme')).status).toBe(411);
      const member = seeded(bench, 'member');
      await makeApp(member, 'small');
      expect((await transfer(member, 'member/small', 'acme')).status).toBe(403);
    });

    it('stays where it is if the name is taken there', async () => {
      const collaborator = seeded(bench, 'collaborator');
      await makeApp(collaborator, 'Desk');
      const answer = await transfer(collaborator, 'collaborator/desk', 'acme');
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'Conflict' } } });
      expect((await collaborator.call('GET', '/apps/collaborator/desk')).status).toBe(200);
    });

    it('gets an organization of its own', async () => {
      const owner = seeded(bench, 'owner');
      const made = await owner.call('POST', '/apps/owner/phone/transfer_to_org', {});
      expect(made).toMatchObject({ status: 200, body: { name: 'phone', display_name: 'Phone', origin: 'appcenter' } });
      expect((await owner.call('GET', '/apps/phone/phone')).body).toMatchObject({
        owner: { id: made.body.id, type: 'org' },
        member_permissions: ['manager'],
      });
      expect((await owner.call('GET', '/apps/owner/phone')).status).toBe(404);
      expect((await seeded(bench, 'viewer').call('GET', '/orgs/phone/apps')).body).toHaveLength(1);

      await makeApp(owner, 'phone');
      const second = await owner.call('POST', '/apps/owner/phone/transfer_to_org', {});
      expect(second.body.name).toBe('phone-1');
      expect((await owner.call('DELETE', '/apps/phone-1/phone')).status).toBe(204);
    });
  },
  { seed: SEED },
);
