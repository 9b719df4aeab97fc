import { beforeAll, describe, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import type { Person } from '../support.ts';

const TEAM = '/orgs/acme/teams/core';

withJar(
  (bench) => {
    let people: Record<'admin' | 'maintainer' | 'collaborator' | 'outsider', Person>;

    /** Team `core`: its maintainer is a manager of the app, its member is a developer of the app. */
    beforeAll(async () => {
      people = {
        admin: seeded(bench, 'org-admin'),
        maintainer: seeded(bench, 'collaborator'),
        collaborator: seeded(bench, 'developer'),
        outsider: seeded(bench, 'member'),
      };
      await people.maintainer.call('POST', '/orgs/acme/teams', { display_name: 'Core', name: 'core' });
      await people.maintainer.call('POST', `${TEAM}/users`, { user_email: people.collaborator.email });
      await people.admin.call('POST', `${TEAM}/apps`, { name: 'desk' });
    });

    describe('is changed by its maintainers and by admins only', () => {
      const changes = [
        ['PATCH', TEAM, { display_name: 'Ours' }],
        ['POST', `${TEAM}/users`, { user_email: 'viewer@vendor.example' }],
        ['DELETE', `${TEAM}/users/viewer`, undefined],
        ['PATCH', `${TEAM}/apps/desk`, { permissions: ['manager'] }],
        ['DELETE', `${TEAM}/apps/desk`, undefined],
        ['POST', `${TEAM}/apps`, { name: 'desk' }],
        ['DELETE', TEAM, undefined],
      ] as const;

      it.each(changes)('%s %s is refused to others', async (method, path, body) => {
        for (const who of ['collaborator', 'outsider'] as const) {
          const answer = await people[who].call(method, path, body);
          expect(answer).toMatchObject({ status: 403, body: { statusCode: 403, code: 'Forbidden' } });
          expect(answer.body.message).toContain('maintainers');
        }
        expect((await seeded(bench, 'stranger').call(method, path, body)).status).toBe(404);
      });

      it('and apps are added to it only by managers of the app', async () => {
        const maintains = people.maintainer;
        const asViewer = { permissions: ['viewer'] };
        expect((await maintains.call('PATCH', `${TEAM}/apps/desk`, { permissions: ['manager'] })).status).toBe(403);
        await people.admin.call('PATCH', `${TEAM}/apps/desk`, { permissions: ['manager'] });
        expect((await maintains.call('PATCH', `${TEAM}/apps/desk`, asViewer)).status).toBe(200);
        expect((await maintains.call('DELETE', `${TEAM}/apps/desk`)).status).toBe(204);
        expect(await maintains.call('POST', `${TEAM}/apps`, { name: 'desk' })).toMatchObject({
          status: 404,
          body: { error: { code: 'NotFound', message: expect.stringContaining("'desk'") } },
        });
        expect((await people.admin.call('POST', `${TEAM}/apps`, { name: 'desk' })).status).toBe(201);
      });

      it('but any member may leave', async () => {
        expect((await people.collaborator.call('DELETE', `${TEAM}/users/developer`)).status).toBe(204);
        const again = await people.collaborator.call('DELETE', `${TEAM}/users/developer`);
        expect(again).toMatchObject({ status: 404, body: { error: { code: 'NotFound' } } });
        await people.admin.call('POST', `${TEAM}/users`, { user_email: people.collaborator.email });
      });
    });

    it('is made by collaborators and admins, not by members', async () => {
      const wanted = { display_name: 'new' };
      expect((await people.outsider.call('POST', '/orgs/acme/teams', wanted)).status).toBe(403);
    });

    it.each([
      ['a team of a name that is taken', 'POST', '/orgs/acme/teams', { display_name: 'CORE' }, 409, 'taken|already'],
      ['a team without a display name', 'POST', '/orgs/acme/teams', { name: 'x' }, 400, 'display_name'],
      ['a team of a wrong name', 'POST', '/orgs/acme/teams', { display_name: 'x', name: 'a b' }, 400, 'name'],
      ['an unknown team', 'GET', '/orgs/acme/teams/none', undefined, 404, "'none'"],
      ['a rename to nothing', 'PATCH', TEAM, {}, 400, 'display_name'],
      [
        'a member twice',
        'POST',
        `${TEAM}/users`,
        { user_email: 'developer@vendor.example' },
        409,
        '^Validation error$',
      ],
      ['somebody of elsewhere', 'POST', `${TEAM}/users`, { user_email: 'stranger@vendor.example' }, 404, 'stranger'],
      ['somebody unknown', 'POST', `${TEAM}/users`, { user_email: 'nobody@vendor.example' }, 404, 'nobody'],
      ['no address', 'POST', `${TEAM}/users`, { user_email: 'nobody' }, 400, 'user_email'],
      ['the removal of a non-member', 'DELETE', `${TEAM}/users/viewer`, undefined, 404, "'viewer'"],
      ['an app twice', 'POST', `${TEAM}/apps`, { name: 'desk' }, 409, "'desk'"],
      ['an app of another owner', 'POST', `${TEAM}/apps`, { name: 'phone' }, 404, "'phone'"],
      ['a permission that there is not', 'PATCH', `${TEAM}/apps/desk`, { permissions: ['owner'] }, 400, 'permissions'],
      ['no permission', 'PATCH', `${TEAM}/apps/desk`, { permissions: [] }, 400, 'permissions'],
      ['an app that it has not', 'DELETE', `${TEAM}/apps/phone`, undefined, 404, "'phone'"],
    ])('refuses %s', async (_, method, path, body, status, message) => {
      const answer = await people.admin.call(method, path, body);
      expect(answer.status).toBe(status);
      expect(answer.body.error.message).toMatch(new RegExp(message));
    });
  },
  { seed: SEED },
);
