import { describe, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';
import { person } from '../support.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const GIF = Buffer.from('474946383961010001', 'hex');

withJar(
  (bench) => {
    describe('the profile', () => {
      it('is what the token says, also to one that is read-only', async () => {
        const profile = {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          display_name: 'Olga Owner',
          email: 'owner@vendor.example',
          name: 'owner',
          avatar_url: null,
          can_change_password: false,
          origin: 'appcenter',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
        };
        expect((await seeded(bench, 'owner').call('GET', '/user')).body).toEqual(profile);
        expect((await (await person(bench, 'owner', 'viewer')).call('GET', '/user')).body).toEqual(profile);
      });

      it('has a display name that changes, and nothing else that does', async () => {
        const { call } = seeded(bench, 'stranger');
        const changed = await call('PATCH', '/user', { display_name: 'Sam', email: 'other@vendor.example', name: 'x' });
        expect(changed).toMatchObject({ status: 200, body: { display_name: 'Sam', name: 'stranger' } });
        expect((await call('GET', '/user')).body).toEqual(changed.body);
        expect((await call('PATCH', '/user', {})).body).toEqual(changed.body);
        expect((await call('PATCH', '/user')).status).toBe(411);
      });

      it.each([[{ display_name: '' }], [{ display_name: null }], [{ display_name: 'x'.repeat(201) }]])(
        'does not take %j',
        async (body) => {
          const answer = await seeded(bench, 'stranger').call('PATCH', '/user', body);
          expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
          expect(answer.body.error.message).toContain('display_name');
        },
      );

      it('is not changed by a read-only token, and not seen by a token of an app', async () => {
        const reader = await person(bench, 'owner', 'viewer');
        expect((await reader.call('PATCH', '/user', { display_name: 'No' })).status).toBe(403);
        const made = await seeded(bench, 'owner').call('POST', '/apps/owner/phone/api_tokens', {});
        const headers = { 'x-api-token': made.body.api_token };
        expect((await bench.call('GET', '/v0.1/user', { token: null, headers })).status).toBe(403);
      });

      it('has nothing that is tried out on the user', async () => {
        const { body: user } = await seeded(bench, 'owner').call('GET', '/user');
        expect((await seeded(bench, 'owner').call('GET', '/user/metadata/optimizely')).body).toEqual({
          userId: user.id,
          metadata: {},
        });
      });
    });

    describe('an avatar', () => {
      const upload = async (name: string, path: string, files: readonly Buffer[], type?: string) => {
        const form = new FormData();
        for (const file of files) form.append('avatar', new Blob([new Uint8Array(file)]), 'picture.png');
        const answer = await fetch(`${bench.jar.url}/v0.1${path}/avatar`, {
          method: 'POST',
          headers: { 'x-api-token': `seeded-token-of-${name}`, ...(type && { 'content-type': type }) },
          body: form,
        });
        return { status: answer.status, body: JSON.parse(await answer.text()) };
      };

      it.each([
        ['owner', '/apps/owner/phone', PNG, 'image/png', 'icon_url'],
        ['manager', '/apps/owner/phone', JPEG, 'image/jpeg', 'icon_url'],
        ['org-admin', '/orgs/acme', GIF, 'image/gif', 'avatar_url'],
      ])(
        'of %s for %s is shown to everybody until it is replaced or deleted',
        async (name, path, file, type, field) => {
          const first = await upload(name, path, [PNG]);
          const second = await upload(name, path, [file]);
          expect([first.status, second.status]).toEqual([200, 200]);
          const url: string = second.body[field];
          expect(url).toMatch(/^http.*\/v0\.1\/public\/avatars\//);
          const shown = await fetch(url);
          expect(shown.headers.get('content-type')).toBe(type);
          expect(Buffer.from(await shown.arrayBuffer())).toEqual(file);
          expect((await fetch(first.body[field])).status).toBe(404);

          const { call } = seeded(bench, name);
          expect((await call('DELETE', `${path}/avatar`)).body[field]).toBe(null);
          expect((await fetch(url)).status).toBe(404);
        },
      );

      it('goes with its app', async () => {
        const { body } = await upload('owner', '/apps/owner/other', [PNG]);
        expect(body.icon_source).toBe('uploaded');
        await seeded(bench, 'owner').call('DELETE', '/apps/owner/other');
        expect((await fetch(body.icon_url)).status).toBe(404);
      });

      it.each([
        ['no file', [], undefined],
        ['two files', [PNG, PNG], undefined],
        ['an empty file', [Buffer.alloc(0)], undefined],
        ['a page', [Buffer.from('<html><script>')], undefined],
        ['more than a megabyte', [Buffer.concat([PNG, Buffer.alloc(1024 * 1024)])], undefined],
        ['a form without a boundary', [PNG], 'multipart/form-data'],
        ['another boundary than it has', [PNG], 'multipart/form-data; boundary=other'],
        ['no form', [PNG], 'application/json'],
      ])('that is %s is refused', async (_, files, type) => {
        const answer = await upload('owner', '/apps/owner/phone', files, type);
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
        expect(answer.body.error.message).toMatch(/avatar/);
      });

      it('is for managers and admins to choose', async () => {
        expect((await upload('developer', '/apps/owner/phone', [PNG])).status).toBe(403);
        expect((await upload('member', '/orgs/acme', [PNG])).status).toBe(403);
        expect((await upload('stranger', '/orgs/acme', [PNG])).status).toBe(404);
      });
    });
  },
  { seed: SEED },
);
