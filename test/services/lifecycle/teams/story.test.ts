import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';

const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);

onBothStores(
  'a team of an organization',
  (bench) => {
    it('grants and revokes roles of its members at once', async () => {
      const [admin, maker, member] = [
        seeded(bench, 'org-admin'),
        seeded(bench, 'collaborator'),
        seeded(bench, 'member'),
      ];
      const made = await maker.call('POST', '/orgs/acme/teams', { display_name: 'Night Shift', description: 'awake' });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Night-Shift',
        display_name: 'Night Shift',
        description: 'awake',
      });
      const team = '/orgs/acme/teams/night-shift';
      expect((await member.call('GET', team)).body).toEqual(made.body);
      expect((await member.call('GET', '/orgs/acme/teams')).body).toEqual([made.body]);

      const added = await maker.call('POST', `${team}/users`, { user_email: member.email.toUpperCase() });
      expect(added).toMatchObject({ status: 201, body: { email: member.email, name: 'member', role: 'collaborator' } });
      expect((await member.call('GET', `${team}/users`)).body).toMatchObject([
        { name: 'collaborator', role: 'maintainer' },
        { name: 'member', role: 'collaborator' },
      ]);

      expect((await member.call('GET', '/apps/acme/desk')).status).toBe(404);
      const granted = await admin.call('POST', `${team}/apps`, { name: 'Desk' });
      expect(granted).toMatchObject({ status: 201, body: { name: 'desk', team_permissions: ['developer'] } });
      expect((await member.call('GET', '/apps/acme/desk')).body.member_permissions).toEqual(['developer']);
      expect(names(await member.call('GET', '/apps'))).toEqual(['desk']);
      expect((await member.call('GET', `${team}/apps`)).body).toMatchObject([
        { name: 'desk', team_permissions: ['developer'], member_permissions: ['developer'] },
      ]);
      expect((await admin.call('GET', '/apps/acme/desk/teams')).body).toMatchObject([
        { name: 'Night-Shift', permissions: ['developer'] },
      ]);

      const raised = await admin.call('PATCH', `${team}/apps/desk`, { permissions: ['manager'] });
      expect(raised).toMatchObject({ status: 200, body: { team_permissions: ['manager'] } });
      expect((await member.call('PATCH', '/apps/acme/desk', { description: 'by night' })).status).toBe(200);
      await admin.call('PATCH', `${team}/apps/desk`, { permissions: ['viewer'] });
      expect((await member.call('PATCH', '/apps/acme/desk', { description: 'by day' })).status).toBe(403);

      expect((await maker.call('DELETE', `${team}/users/Member`)).status).toBe(204);
      expect((await member.call('GET', '/apps/acme/desk')).status).toBe(404);
      expect((await maker.call('GET', '/apps/acme/desk')).body.member_permissions).toEqual(['viewer']);
      expect((await maker.call('DELETE', `${team}/apps/desk`)).status).toBe(204);
      expect((await maker.call('GET', '/apps/acme/desk')).status).toBe(404);

      const renamed = await maker.call('PATCH', team, { display_name: 'Day Shift', name: 'ignored' });
      expect(renamed.body).toEqual({ ...made.body, display_name: 'Day Shift' });
      await admin.call('POST', `${team}/apps`, { name: 'desk' });
      expect((await maker.call('DELETE', team)).status).toBe(204);
      expect((await maker.call('GET', '/apps/acme/desk')).status).toBe(404);
      expect((await admin.call('GET', '/apps/acme/desk/teams')).body).toEqual([]);
      expect((await maker.call('GET', team)).status).toBe(404);
    });

    it('adds to direct roles: the highest role counts', async () => {
      const [admin, viewer, manager] = [seeded(bench, 'org-admin'), seeded(bench, 'viewer'), seeded(bench, 'manager')];
      const role = async (by: typeof viewer) => (await by.call('GET', '/apps/acme/desk')).body.member_permissions[0];
      for (const name of ['low', 'high']) {
        await admin.call('POST', '/orgs/acme/teams', { display_name: name });
        for (const each of [viewer, manager]) {
          await admin.call('POST', `/orgs/acme/teams/${name}/users`, { user_email: each.email });
        }
        await admin.call('POST', `/orgs/acme/teams/${name}/apps`, { name: 'desk' });
      }
      await admin.call('PATCH', '/orgs/acme/teams/low/apps/desk', { permissions: ['viewer'] });
      expect([await role(viewer), await role(manager)]).toEqual(['developer', 'manager']);
      await admin.call('DELETE', '/orgs/acme/teams/high');
      expect([await role(viewer), await role(manager)]).toEqual(['viewer', 'manager']);
      await admin.call('DELETE', '/orgs/acme/teams/low');
      expect([await role(viewer), await role(manager)]).toEqual(['viewer', 'manager']);
    });

    it('adds a member once, however many requests are concurrent', async () => {
      const maker = seeded(bench, 'collaborator');
      const wanted = { display_name: 'race' };
      const made = await Promise.all([1, 2, 3].map(() => maker.call('POST', '/orgs/acme/teams', wanted)));
      expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      const user = { user_email: 'member@vendor.example' };
      const added = await Promise.all([1, 2, 3].map(() => maker.call('POST', '/orgs/acme/teams/race/users', user)));
      expect(added.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect((await maker.call('GET', '/orgs/acme/teams/race/users')).body).toHaveLength(2);
    });
  },
  { seed: SEED },
);
