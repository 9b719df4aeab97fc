import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import { person } from '../support.ts';
import { joinOrg } from './join.ts';

const OF_AN_APP = { os: 'Android', platform: 'Java' };

onBothStores(
  'an organization and its people',
  (bench) => {
    it('is made, renamed with the addresses of its apps, and deleted once it has none', async () => {
      const [ada, bob] = [await person(bench, 'ada'), await person(bench, 'bob')];
      const made = await ada.call('POST', '/orgs', { display_name: 'My Company', something: 'else' });
      expect(made).toMatchObject({
        status: 201,
        body: { display_name: 'My Company', name: 'My-Company', avatar_url: null, origin: 'appcenter' },
      });
      expect((await ada.call('GET', '/orgs')).body).toEqual([
        { display_name: 'My Company', name: 'My-Company', origin: 'appcenter' },
      ]);
      await ada.call('POST', '/orgs/my-company/apps', { display_name: 'Thing', ...OF_AN_APP });
      expect((await bob.call('GET', '/orgs/My-Company')).status).toBe(404);

      await bench.jar.clock.advance('1h');
      const renamed = await ada.call('PATCH', '/orgs/My-Company', { name: 'firm' });
      expect(renamed.body).toMatchObject({ id: made.body.id, name: 'firm', display_name: 'My Company' });
      expect(renamed.body.updated_at > made.body.updated_at).toBe(true);
      expect((await ada.call('GET', '/orgs/My-Company')).status).toBe(404);
      expect((await ada.call('GET', '/apps/My-Company/Thing')).status).toBe(404);
      expect((await ada.call('GET', '/apps/firm/thing')).body.owner).toMatchObject({ name: 'firm', type: 'org' });
      expect((await ada.call('GET', '/orgs/firm')).body).toEqual(renamed.body);
      expect((await ada.call('GET', '/administeredOrgs')).body).toEqual({ organizations: [renamed.body] });
      expect((await bob.call('POST', '/orgs', { display_name: 'My Company' })).status).toBe(201);

      const refused = await ada.call('DELETE', '/orgs/firm');
      expect(refused).toMatchObject({ status: 409, body: { error: { code: 'Conflict' } } });
      expect((await ada.call('DELETE', '/apps/firm/thing')).status).toBe(204);
      await joinOrg(bench, ada, 'firm', bob, 'collaborator');
      await bob.call('POST', '/orgs/firm/teams', { display_name: 'Team' });
      await bob.call('POST', '/orgs/firm/distribution_groups', { name: 'Testers' });
      await ada.call('POST', '/orgs/firm/invitations', { user_email: 'later@vendor.example' });
      expect((await bob.call('DELETE', '/orgs/firm')).status).toBe(403);
      expect((await ada.call('DELETE', '/orgs/firm')).status).toBe(204);
      for (const each of [ada, bob]) expect((await each.call('GET', '/orgs/firm')).status).toBe(404);
      expect((await ada.call('GET', '/orgs')).body).toEqual([]);
      expect((await ada.call('POST', '/orgs', { display_name: 'firm' })).body.id).not.toBe(made.body.id);
      expect((await ada.call('GET', '/orgs/firm/users')).body).toHaveLength(1);
      expect((await ada.call('GET', '/orgs/firm/teams')).body).toEqual([]);
      expect((await ada.call('GET', '/orgs/firm/invitations')).body).toEqual([]);
    });

    it('is made once of one name, however many ask at the same time', async () => {
      const member = seeded(bench, 'member');
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => member.call('POST', '/orgs', { display_name: 'race' })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    });

    it('loses a member with all that he had in it, at once', async () => {
      const admin = seeded(bench, 'org-admin');
      const carl = await person(bench, 'carl');
      await joinOrg(bench, admin, 'acme', carl, 'collaborator');
      const own = await carl.call('POST', '/orgs/acme/apps', { display_name: 'carls', ...OF_AN_APP });
      expect(own.status).toBe(201);
      await carl.call('POST', '/orgs/acme/teams', { display_name: 'carls team', name: 'carls' });
      await admin.call('POST', '/orgs/acme/teams/carls/apps', { name: 'desk' });
      expect((await carl.call('GET', '/apps/acme/desk')).body.member_permissions).toEqual(['developer']);
      expect((await carl.call('GET', '/orgs/acme/users/carl')).body).toEqual({
        email: carl.email,
        name: 'carl',
        display_name: 'carl',
        joined_at: expect.stringMatching(/Z$/),
        role: 'collaborator',
      });
      const appsOfCarl = (await admin.call('GET', '/orgs/acme/users/carl/apps')).body;
      expect(appsOfCarl.map(({ name }: { name: string }) => name)).toEqual(['carls', 'desk']);

      expect((await admin.call('DELETE', '/orgs/acme/users/carl')).status).toBe(204);
      for (const path of ['/orgs/acme', '/apps/acme/desk', '/apps/acme/carls']) {
        expect((await carl.call('GET', path)).status).toBe(404);
      }
      expect((await admin.call('GET', '/orgs/acme/teams/carls/users')).body).toEqual([]);
      expect(await admin.call('DELETE', '/orgs/acme/users/carl')).toMatchObject({
        status: 404,
        body: { error: { code: 'NotFound', message: expect.stringContaining("'carl'") } },
      });

      await joinOrg(bench, admin, 'acme', carl, 'member');
      expect((await carl.call('GET', '/apps/acme/desk')).status).toBe(404);
      expect((await carl.call('GET', '/orgs/acme/users/carl/apps')).body).toEqual([]);
      expect((await carl.call('DELETE', '/orgs/acme/users/org-admin')).status).toBe(403);
      expect((await carl.call('DELETE', '/orgs/acme/users/Carl')).status).toBe(204);
    });

    it('keeps an admin: the only one neither leaves nor becomes less', async () => {
      const admin = seeded(bench, 'org-admin');
      for (const answer of [
        await admin.call('DELETE', '/orgs/acme/users/org-admin'),
        await admin.call('PATCH', '/orgs/acme/users/org-admin', { role: 'member' }),
      ]) {
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
        expect(answer.body.error.message).toContain('only admin');
      }
      const dora = await person(bench, 'dora');
      await joinOrg(bench, admin, 'acme', dora, 'member');
      expect((await dora.call('PATCH', '/orgs/acme/users/dora', { role: 'admin' })).status).toBe(403);
      expect((await admin.call('PATCH', '/orgs/acme/users/dora', { role: 'admin' })).body.role).toBe('admin');
      expect((await dora.call('GET', '/apps/acme/desk')).body.member_permissions).toEqual(['manager']);
      expect((await dora.call('PATCH', '/orgs/acme/users/dora', { role: 'collaborator' })).status).toBe(200);
      expect((await dora.call('GET', '/apps/acme/desk')).status).toBe(404);
      expect((await dora.call('DELETE', '/orgs/acme/users/dora')).status).toBe(204);
    });

    it.each([
      ['remove', (other: string) => ['DELETE', `/users/${other}`] as const],
      ['demote', (other: string) => ['PATCH', `/users/${other}`, { role: 'member' }] as const],
    ])('keeps one of two admins who %s each other at the same time', async (how, change) => {
      const [fay, gus] = [await person(bench, `fay-${how}`), await person(bench, `gus-${how}`)];
      for (const round of [1, 2, 3]) {
        const org = `${how}-${round}`;
        await fay.call('POST', '/orgs', { display_name: org });
        await joinOrg(bench, fay, org, gus, 'admin');
        const attack = (by: typeof fay, whom: string) => {
          const [method, path, body] = change(whom);
          return by.call(method, `/orgs/${org}${path}`, body);
        };
        const answers = await Promise.all([attack(fay, gus.name), attack(gus, fay.name)]);
        expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
        const lists = await Promise.all([fay, gus].map((each) => each.call('GET', `/orgs/${org}/users`)));
        const seen = lists.find(({ status }) => status === 200)?.body as { role: string }[];
        expect(seen.filter(({ role }) => role === 'admin')).toHaveLength(1);
      }
    });
  },
  { seed: SEED },
);
