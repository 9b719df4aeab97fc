import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import { invitationsTo, makeApp, type Person, person } from '../support.ts';

onBothStores(
  'an app and those who work on it',
  (bench) => {
    /** Makes a user a collaborator through the API's invitations. */
    async function join(owner: Person, app: string, invited: Person, role: string): Promise<void> {
      const sent = await owner.call('POST', `${app}/invitations`, { user_email: invited.email, role });
      expect(sent.status).toBe(204);
      const [token] = await invitationsTo(bench, invited.email);
      expect((await invited.call('POST', `/user/invitations/apps/${token}/accept`, {})).status).toBe(204);
    }

    it('is made, renamed, shared, taken from each other and deleted', async () => {
      const [ada, bob] = [await person(bench, 'ada'), await person(bench, 'bob')];
      const made = await ada.call('POST', '/apps', {
        display_name: 'My first App!',
        os: 'iOS',
        platform: 'Objective-C-Swift',
        description: 'for trying out',
        release_type: 'Beta',
        something: 'else',
      });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        app_secret: expect.stringMatching(/^[0-9a-f-]{36}$/),
        display_name: 'My first App!',
        name: 'My-first-App',
        description: 'for trying out',
        icon_url: null,
        icon_source: null,
        os: 'iOS',
        platform: 'Objective-C-Swift',
        origin: 'appcenter',
        owner: {
          id: expect.any(String),
          avatar_url: null,
          display_name: 'ada',
          email: ada.email,
          name: 'ada',
          type: 'user',
        },
        azure_subscription: null,
        release_type: 'Beta',
        created_at: expect.stringMatching(/Z$/),
        updated_at: made.body.created_at,
        member_permissions: ['manager'],
      });

      await bench.jar.clock.advance('1h');
      const renamed = await ada.call('PATCH', '/apps/ada/my-first-app', { name: 'tryout', description: null });
      expect(renamed.body).toMatchObject({ id: made.body.id, name: 'tryout', description: null, release_type: 'Beta' });
      expect(renamed.body.updated_at > made.body.updated_at).toBe(true);
      expect((await ada.call('GET', '/apps/ada/My-first-App')).status).toBe(404);
      expect((await ada.call('GET', '/apps/ada/tryout')).body).toEqual(renamed.body);

      expect((await bob.call('GET', '/apps/ada/tryout')).status).toBe(404);
      await join(ada, '/apps/ada/tryout', bob, 'viewer');
      expect((await bob.call('GET', '/apps/ada/tryout')).body.member_permissions).toEqual(['viewer']);
      expect((await bob.call('GET', '/apps')).body.map(({ name }: { name: string }) => name)).toEqual(['tryout']);
      expect((await bob.call('PATCH', '/apps/ada/tryout', { name: 'mine' })).status).toBe(403);

      const bobs = `/apps/ada/tryout/users/${encodeURIComponent(bob.email.toUpperCase())}`;
      expect((await ada.call('PATCH', bobs, { permissions: ['viewer', 'manager'] })).status).toBe(204);
      const list = await bob.call('GET', '/apps/ada/tryout/users');
      expect(list.body).toMatchObject([
        { name: 'ada', email: ada.email, permissions: ['manager'], origin: 'appcenter' },
        { name: 'bob', email: bob.email, permissions: ['manager'] },
      ]);
      expect((await bob.call('PATCH', '/apps/ada/tryout', { display_name: 'Ours' })).status).toBe(200);
      expect((await bob.call('DELETE', '/apps/ada/tryout')).status).toBe(403);

      expect((await ada.call('DELETE', bobs)).status).toBe(204);
      expect((await bob.call('GET', '/apps/ada/tryout')).status).toBe(404);
      expect((await bob.call('GET', '/apps')).body).toEqual([]);
      expect(await ada.call('DELETE', bobs)).toMatchObject({ status: 404, body: { error: { code: 'NotFound' } } });

      expect((await ada.call('DELETE', '/apps/ada/tryout')).status).toBe(204);
      expect((await ada.call('GET', '/apps/ada/tryout')).status).toBe(404);
      expect((await ada.call('DELETE', '/apps/ada/tryout')).status).toBe(404);
    });

    it('takes everything with it when it is deleted, and its name is free', async () => {
      const [carl, dora] = [await person(bench, 'carl'), await person(bench, 'dora')];
      const first = await makeApp(carl, 'thing');
      await join(carl, '/apps/carl/thing', dora, 'developer');
      await carl.call('POST', '/apps/carl/thing/invitations', { user_email: 'later@vendor.example' });
      const token = await carl.call('POST', '/apps/carl/thing/api_tokens', { scope: ['viewer'] });
      const byApp = { 'x-api-token': token.body.api_token };
      const get = () => bench.call('GET', '/v0.1/apps/carl/thing', { token: null, headers: byApp });
      expect((await get()).status).toBe(200);

      expect((await carl.call('DELETE', '/apps/carl/thing')).status).toBe(204);
      await bench.jar.clock.advance('1s');
      expect((await get()).status).toBe(401);
      expect(await invitationsTo(bench, 'later@vendor.example')).toEqual([]);
      expect((await makeApp(carl, 'thing')).id).not.toBe(first.id);
      expect((await dora.call('GET', '/apps/carl/thing')).status).toBe(404);
      expect((await carl.call('GET', '/apps/carl/thing/users')).body).toHaveLength(1);
    });

    it('of one name is made once for an owner, however many ask at the same time', async () => {
      const eve = await person(bench, 'eve');
      const wanted = { display_name: 'Race', os: 'Custom', platform: 'Custom' };
      const answers = await Promise.all(Array.from({ length: 5 }, () => eve.call('POST', '/apps', wanted)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    });

    it('keeps one of two managers who remove each other at the same time', async () => {
      const admin = seeded(bench, 'org-admin');
      const [fay, gus] = [await person(bench, 'fay'), await person(bench, 'gus')];
      for (const round of [1, 2, 3]) {
        const made = await admin.call('POST', '/orgs/acme/apps', {
          display_name: `duel ${round}`,
          os: 'Linux',
          platform: 'Electron',
        });
        const app = `/apps/acme/${made.body.name}`;
        for (const each of [fay, gus]) await join(admin, app, each, 'manager');
        const answers = await Promise.all([
          fay.call('DELETE', `${app}/users/${gus.email}`),
          gus.call('DELETE', `${app}/users/${fay.email}`),
        ]);
        expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
        expect((await admin.call('GET', `${app}/users`)).body).toHaveLength(2);

        // The admin may remove their direct role; then the remaining manager is the last one.
        expect((await admin.call('DELETE', `${app}/users/${admin.email}`)).status).toBe(204);
        const [last] = (await admin.call('GET', `${app}/users`)).body;
        const refused = await admin.call('DELETE', `${app}/users/${last.email}`);
        expect(refused).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
        expect(refused.body.error.message).toContain('only manager');
      }
    });
  },
  { seed: SEED },
);
