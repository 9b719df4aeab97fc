import { beforeAll, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import { type Person, person } from '../support.ts';

withJar(
  (bench) => {
    let admin: Person;
    let member: Person;
    beforeAll(() => {
      admin = seeded(bench, 'org-admin');
      member = seeded(bench, 'member');
    });

    it.each([
      ['no display name', {}, 'display_name'],
      ['an empty one', { display_name: '' }, 'display_name'],
      ['one that is too long', { display_name: 'x'.repeat(201) }, 'display_name'],
      ['one that is no text', { display_name: 7 }, 'display_name'],
      ['a name that no address can have', { display_name: 'x', name: 'a/b' }, 'name'],
    ])('refuses an organization with %s', async (_, body, field) => {
      const answer = await admin.call('POST', '/orgs', body);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
      expect(answer.body.error.message).toContain(field);
    });

    it('generates a name, also for a team, if nothing of the display name fits into a URL', async () => {
      const { body: org } = await admin.call('POST', '/orgs', { display_name: '漢字' });
      expect(org).toMatchObject({ display_name: '漢字', name: expect.stringMatching(/^[a-z0-9]+$/) });
      const { body: team } = await admin.call('POST', `/orgs/${org.name}/teams`, { display_name: '…' });
      expect((await admin.call('GET', `/orgs/${org.name}/teams/${team.name}`)).body).toEqual(team);
      expect((await admin.call('DELETE', `/orgs/${org.name}`)).status).toBe(204);
    });

    it('refuses a name that another organization or a user has, whatever its case, and changes nothing', async () => {
      for (const name of ['ACME', 'owner']) {
        const answer = await admin.call('POST', '/orgs', { display_name: 'x', name });
        expect(answer).toMatchObject({ status: 409, body: { error: { code: 'Conflict' } } });
        await admin.call('POST', '/orgs', { display_name: 'mine' });
        const renamed = await admin.call('PATCH', '/orgs/mine', { name, display_name: 'changed' });
        expect(renamed.status).toBe(409);
        expect((await admin.call('GET', '/orgs/mine')).body.display_name).toBe('mine');
      }
      expect((await admin.call('PATCH', '/orgs/mine', { name: 'Mine' })).body.name).toBe('Mine');
      expect((await admin.call('PATCH', '/orgs/mine', {})).body.name).toBe('Mine');
    });

    it('lists its members by name to each of them, and not to read-only tokens', async () => {
      const list = await member.call('GET', '/orgs/acme/users');
      const names = list.body.map(({ name }: { name: string }) => name);
      expect(names).toEqual(['collaborator', 'developer', 'manager', 'member', 'org-admin', 'viewer']);
      const reading = await person(bench, 'member', 'viewer');
      expect((await reading.call('GET', '/orgs/acme/users')).status).toBe(403);
      expect((await seeded(bench, 'stranger').call('GET', '/orgs/acme/users')).status).toBe(404);
    });

    it('shows the apps of a member that the caller can see too', async () => {
      const names = async (by: Person) =>
        (await by.call('GET', '/orgs/acme/users/developer/apps')).body.map(({ name }: { name: string }) => name);
      expect(await names(admin)).toEqual(['desk']);
      expect(await names(seeded(bench, 'viewer'))).toEqual(['desk']);
      expect(await names(member)).toEqual([]);
    });

    it('rejects unknown roles, and roles for users who are not members', async () => {
      const wrong = await admin.call('PATCH', '/orgs/acme/users/member', { role: 'owner' });
      expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
      expect(wrong.body.error.message).toContain('role');
      for (const name of ['stranger', 'nobody', 'acme', 'x'.repeat(500)]) {
        const answer = await admin.call('PATCH', `/orgs/acme/users/${name}`, { role: 'member' });
        expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NotFound' } } });
      }
    });
  },
  { seed: SEED },
);
