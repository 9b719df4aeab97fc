import { describe, expect, it } from 'vitest';
import { onBothStores, withJar } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import { invitationsTo, makeApp, type Person, person } from '../support.ts';

const DESK = '/apps/acme/desk';

const accept = (who: Person, of: 'apps' | 'orgs', token: string | undefined) =>
  who.call('POST', `/user/invitations/${of}/${token}/accept`, {});
const reject = (who: Person, of: 'apps' | 'orgs', token: string | undefined) =>
  who.call('POST', `/user/invitations/${of}/${token}/reject`, {});

onBothStores(
  'invitations',
  (bench) => {
    it('to an app of an organization make the invited a collaborator and a member', async () => {
      const [manager, ada] = [seeded(bench, 'manager'), await person(bench, 'ada')];
      expect((await manager.call('POST', `${DESK}/invitations`, { user_email: 'ADA@vendor.example' })).status).toBe(
        204,
      );
      const list = await manager.call('GET', `${DESK}/invitations`);
      const [token] = await invitationsTo(bench, ada.email);
      expect(list.body).toMatchObject([
        {
          id: token,
          app: { name: 'desk', owner: { name: 'acme' } },
          email: 'ADA@vendor.example',
          invite_type: 'developer',
          invited_by: { name: 'manager', email: manager.email },
          is_existing_user: true,
          permissions: ['developer'],
        },
      ]);
      const sent = await manager.call('GET', '/invitations/sent');
      expect(sent.body).toMatchObject([{ invitation_id: token, app: { name: 'desk' } }]);

      expect((await accept(seeded(bench, 'stranger'), 'apps', token)).status).toBe(404);
      expect((await accept(ada, 'orgs', token)).status).toBe(404);
      expect((await ada.call('GET', '/orgs/acme/apps')).status).toBe(404);
      expect((await accept(ada, 'apps', token)).status).toBe(204);
      expect((await ada.call('GET', '/orgs/acme/apps')).body).toMatchObject([{ name: 'desk' }]);
      expect((await ada.call('GET', DESK)).body.member_permissions).toEqual(['developer']);
      expect((await accept(ada, 'apps', token)).status).toBe(404);
      expect((await manager.call('GET', `${DESK}/invitations`)).body).toEqual([]);
      const again = await manager.call('POST', `${DESK}/invitations`, { user_email: ada.email });
      expect(again).toMatchObject({ status: 409, body: { error: { code: 'Conflict' } } });
    });

    it('to an organization are listed, changed, sent again, revoked and accepted', async () => {
      const [admin, bob] = [seeded(bench, 'org-admin'), await person(bench, 'bob')];
      const path = '/orgs/acme/invitations';
      expect((await admin.call('POST', path, { user_email: bob.email })).status).toBe(204);
      const [first] = await invitationsTo(bench, bob.email);
      expect((await admin.call('GET', path)).body).toEqual([{ id: first, email: bob.email, role: 'collaborator' }]);
      expect((await admin.call('GET', '/invitations/sent')).body).toMatchObject([
        { invitation_id: first, organization: { name: 'acme', origin: 'appcenter' } },
      ]);
      expect((await admin.call('PATCH', `${path}/${bob.email}`, { role: 'member' })).status).toBe(204);
      expect((await admin.call('POST', `${path}/BOB@vendor.example/resend`, {})).status).toBe(204);
      const [second] = await invitationsTo(bench, bob.email);
      expect(second).not.toBe(first);
      expect((await admin.call('GET', path)).body).toEqual([{ id: second, email: bob.email, role: 'member' }]);
      expect((await accept(bob, 'orgs', first)).status).toBe(404);

      expect((await admin.call('DELETE', path, { user_email: bob.email })).status).toBe(204);
      expect((await accept(bob, 'orgs', second)).status).toBe(404);
      expect((await admin.call('DELETE', path, { user_email: bob.email })).status).toBe(404);
      await admin.call('POST', path, { user_email: bob.email, role: 'member' });
      expect((await admin.call('POST', `${path}/${bob.email}/revoke`, {})).status).toBe(204);
      expect((await admin.call('POST', `${path}/${bob.email}/revoke`, {})).status).toBe(404);

      await admin.call('POST', path, { user_email: bob.email, role: 'admin' });
      const [third] = await invitationsTo(bench, bob.email);
      expect((await accept(bob, 'orgs', third)).status).toBe(204);
      expect((await bob.call('GET', path)).body).toEqual([]);
      const again = await bob.call('POST', path, { user_email: admin.email, role: 'member' });
      expect(again).toMatchObject({ status: 409, body: { error: { code: 'Conflict' } } });
    });

    it('of which many are sent to one address at the same time are one, and it is accepted once', async () => {
      const [admin, carl] = [seeded(bench, 'org-admin'), await person(bench, 'carl')];
      await Promise.all(
        ['viewer', 'developer', 'manager', 'viewer'].map((role) =>
          admin.call('POST', `${DESK}/invitations`, { user_email: carl.email, role }),
        ),
      );
      const tokens = await invitationsTo(bench, carl.email);
      expect(tokens).toHaveLength(1);
      const answers = await Promise.all([1, 2, 3].map(() => accept(carl, 'apps', tokens[0])));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    });

    it('live for 30 days of the clock', async () => {
      const [owner, dora] = [seeded(bench, 'owner'), await person(bench, 'dora')];
      const path = '/apps/owner/phone/invitations';
      await owner.call('POST', path, { user_email: dora.email });
      const [token] = await invitationsTo(bench, dora.email);
      await bench.jar.clock.advance('20d');
      // Inviting again renews the invitation and changes the offered role.
      await owner.call('POST', path, { user_email: dora.email, role: 'viewer' });
      await bench.jar.clock.advance('29d');
      expect(await invitationsTo(bench, dora.email)).toEqual([token]);
      expect((await owner.call('GET', path)).body).toMatchObject([{ id: token, permissions: ['viewer'] }]);
      await bench.jar.clock.advance('1d');
      expect(await invitationsTo(bench, dora.email)).toEqual([]);
      expect((await owner.call('GET', path)).body).toEqual([]);
      expect((await accept(dora, 'apps', token)).status).toBe(404);
    });
  },
  { seed: SEED },
);

withJar(
  (bench) => {
    describe('an invitation to an app', () => {
      const PATH = '/apps/owner/phone/invitations';

      it.each([
        [{}, 'user_email'],
        [{ user_email: '' }, 'user_email'],
        [{ user_email: 'nobody' }, 'user_email'],
        [{ user_email: 'a b@vendor.example' }, 'user_email'],
        [{ user_email: `${'x'.repeat(65)}@vendor.example` }, 'user_email'],
        [{ user_email: 'zero\u0000@vendor.example' }, 'user_email'],
        [{ user_email: 'half\ud800@vendor.example' }, 'user_email'],
        [{ user_email: 'in\u200bvisible@vendor.example' }, 'user_email'],
        [{ user_email: 5 }, 'user_email'],
        [{ user_email: 'new@vendor.example', role: 'tester' }, 'role'],
        [{ user_email: 'new@vendor.example', role: 'Owner' }, 'role'],
      ])('that says %j is refused', async (body, field) => {
        const answer = await seeded(bench, 'owner').call('POST', PATH, body);
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
        expect(answer.body.error.message).toContain(field);
        expect((await seeded(bench, 'owner').call('GET', PATH)).body).toEqual([]);
      });

      it('is sent, changed and revoked by address', async () => {
        const owner = seeded(bench, 'owner');
        const path = `${PATH}/someone%2Belse@vendor.example`;
        expect((await owner.call('POST', path)).status).toBe(411);
        expect((await owner.call('POST', path, {})).status).toBe(204);
        expect((await owner.call('PATCH', path, { permissions: ['manager'] })).status).toBe(204);
        expect((await owner.call('GET', PATH)).body).toMatchObject([
          { email: 'someone+else@vendor.example', permissions: ['manager'], is_existing_user: false },
        ]);
        expect((await owner.call('PATCH', path, { permissions: ['boss'] })).status).toBe(400);
        expect((await owner.call('DELETE', path)).status).toBe(204);
        for (const answer of [
          await owner.call('DELETE', path),
          await owner.call('PATCH', path, { permissions: ['viewer'] }),
        ]) {
          expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NotFound' } } });
        }
      });

      it('is sent by managers, and visible to users who can see the app', async () => {
        const body = { user_email: 'new@vendor.example' };
        for (const name of ['developer', 'viewer']) {
          expect((await seeded(bench, name).call('POST', PATH, body)).status).toBe(403);
          expect((await seeded(bench, name).call('GET', PATH)).status).toBe(200);
        }
        expect((await seeded(bench, 'stranger').call('POST', PATH, body)).status).toBe(404);
        expect((await seeded(bench, 'stranger').call('GET', PATH)).status).toBe(404);
      });

      it('waits for a user who signs up later', async () => {
        const owner = seeded(bench, 'owner');
        await owner.call('POST', PATH, { user_email: 'later@vendor.example', role: 'viewer' });
        const later = await person(bench, 'later');
        const [token] = await invitationsTo(bench, later.email);
        expect((await accept(later, 'apps', token)).status).toBe(204);
        expect((await later.call('GET', '/apps')).body).toMatchObject([{ name: 'phone' }]);
      });

      it('that is declined is deleted, and only its recipient can decline it', async () => {
        const [owner, eve] = [seeded(bench, 'owner'), await person(bench, 'eve')];
        await owner.call('POST', PATH, { user_email: eve.email });
        const [token] = await invitationsTo(bench, eve.email);
        expect((await reject(seeded(bench, 'stranger'), 'apps', token)).status).toBe(404);
        expect((await reject(eve, 'orgs', token)).status).toBe(404);
        expect((await reject(eve, 'apps', token)).status).toBe(204);
        expect((await accept(eve, 'apps', token)).status).toBe(404);
        expect((await accept(eve, 'apps', 'nothing')).status).toBe(404);
        expect((await eve.call('GET', '/apps')).body).toEqual([]);
      });

      it('with a role of the organization is for its admins, unless it is that of a member', async () => {
        const [admin, manager, fay] = [
          seeded(bench, 'org-admin'),
          seeded(bench, 'manager'),
          await person(bench, 'fay'),
        ];
        const invite = (who: Person, role: string) =>
          who.call('POST', `${DESK}/invitations`, { user_email: fay.email, role });
        expect((await invite(manager, 'admin')).status).toBe(403);
        expect((await invite(manager, 'collaborator')).status).toBe(403);
        expect((await invite(manager, 'member')).status).toBe(204);
        expect((await invite(admin, 'admin')).status).toBe(204);
        const [token] = await invitationsTo(bench, fay.email);
        expect((await accept(fay, 'apps', token)).status).toBe(204);
        expect((await fay.call('GET', '/orgs/acme/invitations')).status).toBe(200);
      });

      it('never lowers an existing role', async () => {
        const [admin, gus] = [seeded(bench, 'org-admin'), await person(bench, 'gus')];
        await admin.call('POST', '/orgs/acme/invitations', { user_email: gus.email, role: 'member' });
        await bench.jar.clock.advance('1s');
        await admin.call('POST', `${DESK}/invitations`, { user_email: gus.email, role: 'collaborator' });
        const tokens = await invitationsTo(bench, gus.email);
        expect((await accept(gus, 'apps', tokens[1])).status).toBe(204);
        expect((await accept(gus, 'orgs', tokens[0])).status).toBe(204);
        expect((await admin.call('GET', '/orgs/acme/users/gus')).body.role).toBe('collaborator');
      });

      it('follows the app to another name, and ends with the app', async () => {
        const [ines, jan] = [await person(bench, 'ines'), await person(bench, 'jan')];
        await makeApp(ines, 'before');
        await ines.call('POST', '/apps/ines/before/invitations', { user_email: jan.email });
        await ines.call('PATCH', '/apps/ines/before', { name: 'after' });
        expect((await ines.call('GET', '/apps/ines/after/invitations')).body).toHaveLength(1);
        const [token] = await invitationsTo(bench, jan.email);
        await ines.call('DELETE', '/apps/ines/after');
        expect((await accept(jan, 'apps', token)).status).toBe(404);
      });
    });

    describe('an invitation to an organization', () => {
      it('is for admins only', async () => {
        for (const name of ['collaborator', 'member']) {
          const { call } = seeded(bench, name);
          const body = { user_email: 'new@vendor.example' };
          expect((await call('POST', '/orgs/acme/invitations', body)).status).toBe(403);
          expect((await call('GET', '/orgs/acme/invitations')).status).toBe(403);
          expect((await call('DELETE', '/orgs/acme/invitations', body)).status).toBe(403);
        }
        expect((await seeded(bench, 'stranger').call('GET', '/orgs/acme/invitations')).status).toBe(404);
      });

      it.each([
        ['POST', '', { user_email: 'x' }],
        ['POST', '', { user_email: 'new@vendor.example', role: 'manager' }],
        ['DELETE', '', {}],
        ['PATCH', '/new@vendor.example', { role: 'owner' }],
      ])('%s%s %j is refused', async (method, tail, body) => {
        const answer = await seeded(bench, 'org-admin').call(method, `/orgs/acme/invitations${tail}`, body);
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
      });
    });
  },
  { seed: SEED },
);
