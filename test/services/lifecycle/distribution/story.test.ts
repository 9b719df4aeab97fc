import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import { person } from '../support.ts';

const GROUPS = '/apps/owner/phone/distribution_groups';
const SHARED = '/orgs/acme/distribution_groups';

onBothStores(
  'distribution groups',
  (bench) => {
    it('of an app take testers, with an account or without, and let them go', async () => {
      const [developer, viewer] = [seeded(bench, 'developer'), seeded(bench, 'viewer')];
      const made = await developer.call('POST', GROUPS, { name: 'Beta Testers' });
      expect(made).toMatchObject({
        status: 201,
        body: { name: 'Beta Testers', display_name: 'Beta Testers', origin: 'appcenter', is_public: false },
      });
      const group = `${GROUPS}/beta%20testers`;
      expect((await viewer.call('GET', group)).body).toEqual(made.body);
      expect((await viewer.call('GET', GROUPS)).body).toEqual([made.body]);

      const added = await developer.call('POST', `${group}/members`, {
        user_emails: ['stranger@vendor.example', 'Later@vendor.example', 'no address', 'later@vendor.example'],
      });
      expect(added.status).toBe(200);
      expect(added.body).toMatchObject([
        { user_email: 'stranger@vendor.example', status: 200, code: 'OK' },
        { user_email: 'Later@vendor.example', status: 200, code: 'OK', invite_pending: true },
        { user_email: 'no address', status: 400, code: 'BadRequest' },
      ]);
      expect(added.body[0]).not.toHaveProperty('invite_pending');
      const again = await developer.call('POST', `${group}/members`, { user_emails: ['LATER@vendor.example'] });
      expect(again.body).toMatchObject([{ user_email: 'LATER@vendor.example', status: 409, code: 'Conflict' }]);

      const members = async (query = '') => (await viewer.call('GET', `${group}/members${query}`)).body;
      expect(await members()).toMatchObject([
        { email: 'Later@vendor.example', invite_pending: true },
        { email: 'stranger@vendor.example', name: 'stranger', can_change_password: false },
      ]);
      expect(await members('?exclude_pending_invitations=true')).toMatchObject([{ name: 'stranger' }]);

      const resend = (email: string) => developer.call('POST', `${group}/resend_invite`, { user_emails: [email] });
      expect((await resend('later@vendor.example')).status).toBe(204);
      expect((await resend('stranger@vendor.example')).status).toBe(404);

      const later = await person(bench, 'later');
      expect(await members()).toMatchObject([{ invite_pending: true }, {}]);
      const accept = '/user/invitations/distribution_groups/accept';
      expect((await later.call('POST', accept, {})).status).toBe(204);
      expect((await later.call('POST', accept, {})).status).toBe(204);
      expect(await members('?exclude_pending_invitations=true')).toHaveLength(2);
      const testers = (await viewer.call('GET', '/apps/owner/phone/testers')).body;
      expect(testers.map(({ name }: { name: string }) => name).sort()).toEqual(['later', 'stranger']);
      expect((await later.call('GET', '/apps/owner/phone')).status).toBe(404);

      const patched = await developer.call('PATCH', group, { name: 'Alpha', is_public: true });
      expect(patched.body).toEqual({ ...made.body, name: 'Alpha', display_name: 'Alpha', is_public: true });
      const removed = await developer.call('POST', `${GROUPS}/Alpha/members/bulk_delete`, {
        user_emails: ['later@vendor.example', 'nobody@vendor.example'],
      });
      expect(removed).toMatchObject({ status: 200, body: [{ status: 200 }, { status: 404, code: 'NotFound' }] });

      expect((await developer.call('DELETE', `${GROUPS}/alpha`)).status).toBe(204);
      expect((await viewer.call('GET', `${GROUPS}/alpha`)).status).toBe(404);
      await bench.jar.clock.advance('1s');
      expect((await viewer.call('GET', '/apps/owner/phone/testers')).body).toEqual([]);
      await developer.call('POST', GROUPS, { name: 'alpha', display_name: 'The first' });
      expect((await viewer.call('GET', `${GROUPS}/alpha/members`)).body).toEqual([]);
    });

    it('of an organization are shared by its apps', async () => {
      const [admin, collaborator, viewer] = [
        seeded(bench, 'org-admin'),
        seeded(bench, 'collaborator'),
        seeded(bench, 'viewer'),
      ];
      const made = await collaborator.call('POST', SHARED, { name: 'Friends', display_name: 'Our friends' });
      expect(made).toMatchObject({ status: 201, body: { name: 'Friends', display_name: 'Our friends' } });
      const listed = await viewer.call('GET', SHARED);
      expect([listed.status, listed.body]).toEqual([201, [made.body]]);
      const added = await collaborator.call('POST', `${SHARED}/friends/members`, {
        user_emails: ['owner@vendor.example', 'soon@vendor.example'],
      });
      expect(added).toMatchObject({ status: 200, body: [{ status: 200 }, { status: 200, invite_pending: true }] });
      expect((await viewer.call('GET', `${SHARED}/friends/members`)).body).toHaveLength(2);

      const desk = { apps: [{ name: 'Desk' }] };
      expect((await collaborator.call('POST', `${SHARED}/friends/apps`, desk)).status).toBe(404);
      expect((await admin.call('POST', `${SHARED}/friends/apps`, desk)).status).toBe(204);
      expect((await admin.call('POST', `${SHARED}/friends/apps`, desk)).status).toBe(204);
      const sharing = (await viewer.call('GET', `${SHARED}/friends/apps`)).body;
      expect(sharing).toMatchObject([{ name: 'desk', owner: { name: 'acme' } }]);
      expect(sharing[0]).not.toHaveProperty('app_secret');
      expect((await collaborator.call('GET', `${SHARED}/friends/apps`)).body).toEqual([]);
      const details = '/orgs/acme/distribution_groups_details';
      const counts = { ...made.body, total_apps_count: 1, total_users_count: 2 };
      expect((await viewer.call('GET', details)).body).toMatchObject([{ ...counts, apps: [{ name: 'desk' }] }]);
      expect((await viewer.call('GET', `${details}?apps_limit=0`)).body).toEqual([{ ...counts, apps: [] }]);

      const ofDesk = '/apps/acme/desk/distribution_groups';
      expect((await viewer.call('GET', ofDesk)).body).toEqual([made.body]);
      expect((await viewer.call('GET', `${ofDesk}/friends/members`)).body).toHaveLength(2);
      expect((await viewer.call('GET', '/apps/acme/desk/testers')).body).toMatchObject([{ name: 'owner' }]);
      expect((await admin.call('DELETE', `${ofDesk}/friends`)).status).toBe(403);
      expect((await admin.call('POST', ofDesk, { name: 'FRIENDS' })).status).toBe(409);
      const testers = (await viewer.call('GET', '/orgs/acme/testers')).body;
      expect(testers).toHaveLength(7);
      expect(testers).toContainEqual({ display_name: 'Olga Owner', name: 'owner', email: 'owner@vendor.example' });

      expect((await collaborator.call('PATCH', `${SHARED}/friends`, { is_public: true })).body.is_public).toBe(true);
      const gone = await collaborator.call('POST', `${SHARED}/friends/members/bulk_delete`, {
        user_emails: ['soon@vendor.example', 'nobody@vendor.example'],
      });
      expect([gone.status, gone.text]).toEqual([204, '']);
      expect((await collaborator.call('POST', `${SHARED}/friends/apps/bulk_delete`, desk)).status).toBe(204);
      expect((await viewer.call('GET', ofDesk)).body).toEqual([]);
      await admin.call('POST', `${SHARED}/friends/apps`, desk);
      expect((await collaborator.call('DELETE', `${SHARED}/friends`)).status).toBe(200);
      expect((await viewer.call('GET', SHARED)).body).toEqual([]);
      expect((await viewer.call('GET', '/apps/acme/desk/testers')).body).toEqual([]);
    });

    it('go with the app that they belong to', async () => {
      const owner = seeded(bench, 'owner');
      const groups = '/apps/owner/other/distribution_groups';
      await owner.call('POST', groups, { name: 'x' });
      await owner.call('POST', `${groups}/x/members`, { user_emails: ['stranger@vendor.example'] });
      expect((await owner.call('DELETE', '/apps/owner/other')).status).toBe(204);
      await bench.jar.clock.advance('1s');
      await owner.call('POST', '/apps', { display_name: 'other', os: 'iOS', platform: 'Custom' });
      expect((await owner.call('GET', groups)).body).toEqual([]);
    });
  },
  { seed: SEED },
);
