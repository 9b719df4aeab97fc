import { describe, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import { makeApp, person } from '../support.ts';

const WANTED = { display_name: 'Wanted', os: 'Android', platform: 'Java' };

withJar(
  (bench) => {
    const named = (list: { name: string }[]) => list.map(({ name }) => name);

    describe('a new app', () => {
      it.each([
        ['no display name', { ...WANTED, display_name: undefined }, 'display_name'],
        ['an empty display name', { ...WANTED, display_name: '' }, 'display_name'],
        ['a display name that is a number', { ...WANTED, display_name: 7 }, 'display_name'],
        ['a display name of 201 characters', { ...WANTED, display_name: 'x'.repeat(201) }, 'display_name'],
        ['no system', { ...WANTED, os: undefined }, 'os'],
        ['an unknown system', { ...WANTED, os: 'android' }, 'os'],
        ['no platform', { ...WANTED, platform: undefined }, 'platform'],
        ['an unknown platform', { ...WANTED, platform: 'Unknown' }, 'platform'],
        ['a name with a slash', { ...WANTED, name: 'a/b' }, 'name'],
        ['an empty name', { ...WANTED, name: '' }, 'name'],
        ['a name of 101 characters', { ...WANTED, name: 'x'.repeat(101) }, 'name'],
        ['a release type in lower case', { ...WANTED, release_type: 'beta' }, 'release_type'],
        ['a release type of two words', { ...WANTED, release_type: 'Beta two' }, 'release_type'],
        ['a release type of 101 characters', { ...WANTED, release_type: 'B'.padEnd(101, 'b') }, 'release_type'],
        ['a description of a number', { ...WANTED, description: 5 }, 'description'],
        ['no fields at all', {}, 'display_name'],
        ['a list for a body', [], 'body'],
      ])('with %s is refused by the name of the field', async (_, body, field) => {
        const answer = await seeded(bench, 'stranger').call('POST', '/apps', body);
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
        expect(answer.body.error.message).toContain(field);
        expect((await seeded(bench, 'stranger').call('GET', '/apps')).body).toEqual([]);
      });

      it('is refused without a body, and with a body that is not JSON', async () => {
        const { call } = seeded(bench, 'stranger');
        expect((await call('POST', '/apps')).status).toBe(411);
        expect((await call('POST', '/apps', '{"display_name":')).status).toBe(400);
      });

      it('has a generated name if nothing of the display name fits into a URL', async () => {
        const ines = await person(bench, 'ines');
        const made = await ines.call('POST', '/apps', { ...WANTED, display_name: '☃ 雪だるま', name: null });
        expect(made.body).toMatchObject({ display_name: '☃ 雪だるま', name: expect.stringMatching(/^[a-z0-9]+$/) });
        expect((await ines.call('GET', `/apps/ines/${made.body.name}`)).status).toBe(200);
      });

      it('conflicts with one of the same owner in another case, and with none of another owner', async () => {
        const [jan, kim] = [await person(bench, 'jan'), await person(bench, 'kim')];
        await makeApp(jan, 'same');
        const again = await jan.call('POST', '/apps', { ...WANTED, name: 'SAME' });
        expect(again).toMatchObject({ status: 409, body: { error: { code: 'Conflict' } } });
        expect((await kim.call('POST', '/apps', { ...WANTED, name: 'same' })).status).toBe(201);
      });

      it('is limited per hour, per day and in total, if configured', async () => {
        const lee = await person(bench, 'lee');
        const set = (name: string, change: object) =>
          bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body: { name, ...change } });
        expect((await set('lifecycle.apps-per-hour', { mode: 'enforced', limit: 2 })).status).toBe(200);
        await makeApp(lee, 'one');
        await makeApp(lee, 'two');
        const third = await lee.call('POST', '/apps', { ...WANTED, name: 'three' });
        expect(third).toMatchObject({ status: 429, body: { error: { code: 'RateLimitExceeded' } } });
        expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
        await bench.jar.clock.advance('61m');
        await makeApp(lee, 'three');
        await set('lifecycle.apps-per-hour', { mode: null, limit: null });
        await set('lifecycle.apps', { limit: 3 });
        const fourth = await lee.call('POST', '/apps', { ...WANTED, name: 'four' });
        expect(fourth).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
        await lee.call('DELETE', '/apps/lee/one');
        await makeApp(lee, 'four');
        await set('lifecycle.apps', { limit: null });
      });
    });

    describe('the list of apps', () => {
      it.each([
        ['owner', ['other', 'phone']],
        ['manager', ['desk', 'phone']],
        ['viewer', ['desk', 'phone']],
        ['org-admin', ['desk']],
        ['collaborator', []],
        ['stranger', []],
      ])('shows %s what he sees', async (name, expected) => {
        expect(named((await seeded(bench, name).call('GET', '/apps')).body)).toEqual(expected);
      });

      it.each([
        ['manager', ['manager']],
        ['developer', ['developer']],
        ['org-admin', ['manager']],
      ])('tells %s what he may do', async (name, permissions) => {
        const list = (await seeded(bench, name).call('GET', '/orgs/acme/apps')).body;
        expect(list).toMatchObject([
          { name: 'desk', member_permissions: permissions, owner: { name: 'acme', type: 'org', email: null } },
        ]);
        expect((await seeded(bench, name).call('GET', '/apps/acme/desk')).body).toEqual(list[0]);
      });

      it('is readable with a read-only token', async () => {
        const token = await person(bench, 'org-admin', 'viewer');
        expect((await token.call('GET', '/apps')).body[0].member_permissions).toEqual(['viewer']);
        expect((await token.call('POST', '/apps', WANTED)).status).toBe(403);
        expect((await token.call('GET', '/apps/acme/desk/users')).status).toBe(200);
        expect((await token.call('GET', '/apps/acme/desk/teams')).status).toBe(403);
      });

      it('of an organization shows members the apps they have joined, and other users nothing', async () => {
        expect((await seeded(bench, 'member').call('GET', '/orgs/acme/apps')).body).toEqual([]);
        expect((await seeded(bench, 'stranger').call('GET', '/orgs/acme/apps')).status).toBe(404);
        expect((await seeded(bench, 'stranger').call('POST', '/orgs/acme/apps', WANTED)).status).toBe(404);
      });

      it('is ordered by display name, or by name', async () => {
        const mia = await person(bench, 'mia');
        await makeApp(mia, 'zebra', { display_name: 'alpha' });
        await makeApp(mia, 'apple', { display_name: 'Beta' });
        expect(named((await mia.call('GET', '/apps')).body)).toEqual(['zebra', 'apple']);
        expect(named((await mia.call('GET', '/apps?$orderBy=display_name')).body)).toEqual(['zebra', 'apple']);
        expect(named((await mia.call('GET', '/apps?$orderBy=name')).body)).toEqual(['apple', 'zebra']);
        expect((await mia.call('GET', '/apps?$orderBy=os')).status).toBe(400);
      });

      it('has an app that a mere member has made for the organization, as its manager', async () => {
        const member = seeded(bench, 'member');
        const made = await member.call('POST', '/orgs/acme/apps', { ...WANTED, name: 'members-own' });
        expect(made).toMatchObject({
          status: 201,
          body: { owner: { name: 'acme', type: 'org' }, member_permissions: ['manager'] },
        });
        expect((await member.call('GET', '/apps')).body).toEqual([made.body]);
        expect((await member.call('DELETE', '/apps/acme/members-own')).status).toBe(403);
        expect((await seeded(bench, 'org-admin').call('DELETE', '/apps/acme/members-own')).status).toBe(204);
      });
    });

    describe('a change to an app', () => {
      it.each([
        [{ display_name: '' }, 'display_name'],
        [{ display_name: null }, 'display_name'],
        [{ name: 'a b' }, 'name'],
        [{ release_type: 'no' }, 'release_type'],
        [{ icon_url: 'javascript:alert(1)' }, 'icon_url'],
        [{ icon_url: 5 }, 'icon_url'],
        [{ icon_asset_id: '6f1d3b52-65f7-4b2c-b6b2-9a5d4d3e0b11' }, 'asset'],
      ])('%j is refused, and nothing changes', async (body, word) => {
        const owner = seeded(bench, 'owner');
        const before = (await owner.call('GET', '/apps/owner/other')).body;
        const answer = await owner.call('PATCH', '/apps/owner/other', { description: 'new', ...body });
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
        expect(answer.body.error.message).toContain(word);
        expect((await owner.call('GET', '/apps/owner/other')).body).toEqual(before);
      });

      it('to a name that another app has is a conflict; to its own in another case it is not', async () => {
        const owner = seeded(bench, 'owner');
        expect((await owner.call('PATCH', '/apps/owner/other', { name: 'Phone' })).status).toBe(409);
        expect((await owner.call('PATCH', '/apps/owner/other', { name: 'OTHER' })).body.name).toBe('OTHER');
        expect((await owner.call('PATCH', '/apps/owner/other', { name: 'other' })).body.name).toBe('other');
        expect((await owner.call('GET', '/apps/owner/other')).status).toBe(200);
      });

      it('of nothing leaves it as it was, and fields can be set and emptied', async () => {
        const owner = seeded(bench, 'owner');
        const before = (await owner.call('GET', '/apps/owner/other')).body;
        await bench.jar.clock.advance('1m');
        expect((await owner.call('PATCH', '/apps/owner/other', {})).body).toEqual(before);
        const icon = 'https://pictures.example/icon.png';
        const set = { description: 'd', release_type: 'Store', icon_url: icon };
        expect((await owner.call('PATCH', '/apps/owner/other', set)).body).toMatchObject(set);
        const none = { description: null, release_type: '', icon_url: '' };
        expect((await owner.call('PATCH', '/apps/owner/other', none)).body).toMatchObject({
          description: null,
          release_type: null,
          icon_url: null,
        });
      });

      it('is for managers, and deletion for administrators', async () => {
        for (const [name, change, deletion] of [
          ['manager', 200, 403],
          ['developer', 403, 403],
          ['viewer', 403, 403],
          ['stranger', 404, 404],
        ] as const) {
          expect((await seeded(bench, name).call('PATCH', '/apps/owner/phone', {})).status).toBe(change);
          expect((await seeded(bench, name).call('DELETE', '/apps/owner/phone')).status).toBe(deletion);
        }
      });
    });

    describe('collaborators', () => {
      const PHONE = '/apps/owner/phone/users';

      it.each([
        ['the owner', 'owner@vendor.example', 'owns the app'],
        ['the owner by himself', 'OWNER@vendor.example', 'owns the app'],
      ])('cannot remove or demote %s', async (_, email, why) => {
        for (const name of ['manager', 'owner']) {
          const { call } = seeded(bench, name);
          for (const answer of [
            await call('DELETE', `${PHONE}/${email}`),
            await call('PATCH', `${PHONE}/${email}`, { permissions: ['developer'] }),
          ]) {
            expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
            expect(answer.body.error.message).toContain(why);
          }
        }
      });

      it.each([
        ['nobody', 'nobody@vendor.example'],
        ['somebody who has no part in the app', 'stranger@vendor.example'],
        ['what is no address', 'stranger'],
        ['something huge', `${'x'.repeat(3000)}@vendor.example`],
      ])('that are %s are not found', async (_, email) => {
        const { call } = seeded(bench, 'owner');
        const path = `${PHONE}/${encodeURIComponent(email)}`;
        for (const answer of [await call('DELETE', path), await call('PATCH', path, { permissions: ['viewer'] })]) {
          expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NotFound' } } });
        }
      });

      it.each([[{}], [{ permissions: [] }], [{ permissions: ['tester'] }], [{ permissions: 'viewer' }]])(
        'do not get %j',
        async (body) => {
          const answer = await seeded(bench, 'owner').call('PATCH', `${PHONE}/viewer@vendor.example`, body);
          expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
          expect(answer.body.error.message).toContain('permissions');
        },
      );

      it('change nothing of others unless they are managers', async () => {
        for (const name of ['developer', 'viewer']) {
          const { call } = seeded(bench, name);
          expect((await call('DELETE', `${PHONE}/manager@vendor.example`)).status).toBe(403);
          expect((await call('PATCH', `${PHONE}/${name}@vendor.example`, { permissions: ['manager'] })).status).toBe(
            403,
          );
        }
      });

      it('may leave, whatever their role, but not by a token of the app', async () => {
        const owner = seeded(bench, 'owner');
        const developer = seeded(bench, 'developer');
        const made = await developer.call('POST', '/apps/owner/phone/api_tokens', { scope: ['viewer'] });
        const path = `${PHONE}/developer@vendor.example`;
        const byApp = { token: null, headers: { 'x-api-token': made.body.api_token } };
        expect((await bench.call('DELETE', `/v0.1${path}`, byApp)).status).toBe(403);
        expect((await developer.call('DELETE', path)).status).toBe(204);
        expect((await developer.call('GET', PHONE)).status).toBe(404);
        expect((await bench.call('GET', `/v0.1${PHONE}`, byApp)).status).toBe(404);
        expect((await owner.call('GET', PHONE)).body).toHaveLength(3);
      });

      it('that are demoted have demoted their tokens at once', async () => {
        const [owner, manager] = [seeded(bench, 'owner'), seeded(bench, 'manager')];
        const path = `${PHONE}/manager@vendor.example`;
        expect((await manager.call('PATCH', '/apps/owner/phone', {})).status).toBe(200);
        expect((await owner.call('PATCH', path, { permissions: ['viewer'] })).status).toBe(204);
        expect((await manager.call('PATCH', '/apps/owner/phone', {})).status).toBe(403);
        expect((await owner.call('PATCH', path, { permissions: ['manager'] })).status).toBe(204);
        expect((await manager.call('PATCH', '/apps/owner/phone', {})).status).toBe(200);
      });

      it('do not include testers, who are listed separately', async () => {
        const owner = seeded(bench, 'owner');
        expect((await owner.call('GET', '/apps/owner/phone/testers')).body).toEqual([]);
        await owner.call('POST', '/apps/owner/phone/distribution_groups', { name: 'beta' });
        const user_emails = ['stranger@vendor.example', 'unknown@vendor.example'];
        await owner.call('POST', '/apps/owner/phone/distribution_groups/beta/members', { user_emails });
        expect((await owner.call('GET', '/apps/owner/phone/testers')).body).toMatchObject([
          { name: 'stranger', permissions: ['tester'] },
        ]);
        expect((await seeded(bench, 'stranger').call('GET', '/apps/owner/phone')).status).toBe(404);
      });
    });
  },
  { seed: SEED },
);
