import { expect, it } from 'vitest';
import { onBothStores, type Reply } from '../../../support/jars.ts';
import { SEED, seeded } from '../people.ts';

onBothStores(
  'accounts of the app lifecycle service',
  (bench) => {
    const control = (method: string, path: string, body?: unknown): Promise<Reply> =>
      bench.call(method, `/_jar/lifecycle/users${path}`, {
        ...(body !== undefined && { body }),
        token: null,
        headers: { authorization: `Bearer ${bench.jar.adminKey}` },
      });

    it('are made once of one name, however many ask at the same time', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => control('PUT', '/twice', {})));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    });

    it('get another display name, and keep their address', async () => {
      const made = await control('PUT', '/Kim', { email: 'kim@vendor.example' });
      expect([made.status, made.body]).toMatchObject([201, { name: 'Kim', display_name: 'Kim' }]);
      const renamed = await control('PUT', '/kim', { display_name: 'Kim K.', email: 'KIM@vendor.example' });
      expect([renamed.status, renamed.body]).toEqual([200, { ...made.body, display_name: 'Kim K.' }]);
      expect(await control('PUT', '/kim', { email: 'other@vendor.example' })).toMatchObject({
        status: 409,
        body: { error: { code: 'EmailFixed' } },
      });
    });

    it.each([
      ['a name that an organization has', '/acme', {}, 409],
      ['an address that somebody has, in another case', '/new', { email: 'OWNER@vendor.example' }, 409],
      ['an address that is none', '/new', { email: 'nobody' }, 400],
      ['a name that no address can have', '/a%20b', {}, 400],
      ['what is not known', '/new', { role: 'admin' }, 400],
    ])('are not made with %s', async (_, path, body, status) => {
      expect((await control('PUT', path, body)).status).toBe(status);
    });

    it("get tokens if they exist, and only the administrator's key creates one", async () => {
      const made = await control('POST', '/member/tokens', { scope: ['viewer'], description: 'by hand' });
      expect(made).toMatchObject({ status: 201, body: { scope: ['viewer'], description: 'by hand' } });
      expect(await control('POST', '/nobody/tokens', {})).toMatchObject({ status: 404 });
      const { token } = seeded(bench, 'org-admin');
      const headers = { 'x-api-token': token };
      const sneaked = await bench.call('POST', '/_jar/lifecycle/users/owner/tokens', {
        token: null,
        headers,
        body: {},
      });
      expect(sneaked.status).toBe(401);
    });

    it('are listed by name, page by page', async () => {
      const names: string[] = [];
      for (let path = '?$top=3'; path !== ''; ) {
        const { body } = await control('GET', path);
        names.push(...body.value.map(({ name }: { name: string }) => name));
        path = body.nextLink ? new URL(body.nextLink).search : '';
      }
      expect(names.length).toBeGreaterThan(7);
      expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    });
  },
  { seed: SEED },
);
