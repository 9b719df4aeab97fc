import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { joinOrg } from '../orgs/join.ts';
import { SEED, seeded } from '../people.ts';
import { makeApp, type Person, person } from '../support.ts';

const RECEIPT = { token: expect.stringMatching(/^[0-9a-f-]{36}$/), createdAt: expect.stringMatching(/Z$/) };

onBothStores(
  'what people may ask for about themselves',
  (bench) => {
    /** Asks as another user, whose account is not deleted. */
    const deletionOf = (token: string, email: string) =>
      seeded(bench, 'stranger').call('GET', `/user/dsr/delete/${token}?email=${encodeURIComponent(email)}`);
    const askToDelete = async (who: Person): Promise<string> => {
      const asked = await who.call('POST', '/user/dsr/delete', {});
      expect(asked.status).toBe(202);
      return asked.body.token;
    };

    it('is a copy of their data, at its own URL and for a week', async () => {
      const viewer = seeded(bench, 'viewer');
      const asked = await viewer.call('POST', '/user/dsr/export', {});
      expect([asked.status, asked.body]).toEqual([202, RECEIPT]);
      const { token } = asked.body;
      expect(asked.headers.get('location')).toBe(`${bench.jar.url}/v0.1/user/dsr/export/${token}`);
      expect((await viewer.call('POST', '/user/dsr/export', {})).body).toEqual(asked.body);

      const status = async () => (await viewer.call('GET', `/user/dsr/export/${token}`)).body;
      expect(await status()).toEqual({ status: 'Created', message: expect.any(String) });
      await bench.jar.clock.advance('10s');
      expect((await status()).status).toBe('InProgress');
      await bench.jar.clock.advance('1m');
      const done = await status();
      expect(done).toMatchObject({ status: 'Completed', sasUrlExpired: false });
      expect((await seeded(bench, 'owner').call('GET', `/user/dsr/export/${token}`)).status).toBe(404);

      const fetched = await bench.call('GET', done.sasUrl, { token: null });
      expect(fetched.body).toMatchObject({
        user: { name: 'viewer', email: viewer.email },
        organizations: [{ name: 'acme', role: 'member' }],
        api_tokens: [{ scope: ['all'] }],
      });
      expect(fetched.body.apps).toHaveLength(2);
      expect(fetched.text).not.toContain(viewer.token);
      const forged = done.sasUrl.replace(/sig=[0-9a-f]/, (sig: string) => (sig.endsWith('0') ? 'sig=1' : 'sig=0'));
      expect((await bench.call('GET', forged, { token: null })).status).toBe(403);
      expect((await viewer.call('POST', `/user/dsr/export/${token}/cancel`, {})).status).toBe(409);

      await bench.jar.clock.advance('7d');
      expect((await status()).sasUrlExpired).toBe(true);
      expect((await bench.call('GET', done.sasUrl, { token: null })).status).toBe(403);
    });

    it('is cancelled before it is executed', async () => {
      const viewer = seeded(bench, 'viewer');
      const { token } = (await viewer.call('POST', '/user/dsr/export', {})).body;
      expect((await seeded(bench, 'owner').call('POST', `/user/dsr/export/${token}/cancel`, {})).status).toBe(404);
      expect((await viewer.call('POST', `/user/dsr/export/${token}/cancel`, {})).status).toBe(202);
      await bench.jar.clock.advance('1h');
      expect((await viewer.call('GET', `/user/dsr/export/${token}`)).body.status).toBe('None');

      const email = viewer.email.toUpperCase();
      const deletion = await askToDelete(viewer);
      const cancel = (given: string) => viewer.call('POST', `/user/dsr/delete/${deletion}/cancel`, { email: given });
      expect((await cancel('other@vendor.example')).status).toBe(404);
      expect((await cancel(email)).body.token).toBe(deletion);
      await bench.jar.clock.advance('31d');
      expect((await deletionOf(deletion, email)).body.status).toBe('None');
      expect((await viewer.call('GET', '/user')).status).toBe(200);

      const second = await askToDelete(viewer);
      await bench.jar.clock.advance('8d');
      const late = await viewer.call('POST', `/user/dsr/delete/${second}/cancel`, { email });
      expect(late).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('seven days') } } });
    });

    it('is the end of their account after 30 days, with all that was theirs', async () => {
      const [admin, owner] = [seeded(bench, 'org-admin'), seeded(bench, 'owner')];
      const eve = await person(bench, 'eve');
      await joinOrg(bench, admin, 'acme', eve, 'collaborator');
      await eve.call('POST', '/orgs/acme/teams', { display_name: 'eves' });
      await eve.call('POST', '/orgs', { display_name: 'eve alone' });
      await owner.call('POST', '/apps/owner/phone/distribution_groups', { name: 'g' });
      const group = '/apps/owner/phone/distribution_groups/g/members';
      await owner.call('POST', group, { user_emails: [eve.email] });

      const token = await askToDelete(eve);
      expect((await deletionOf(token, 'other@vendor.example')).status).toBe(404);
      expect((await deletionOf(token, eve.email)).body.status).toBe('Created');
      await bench.jar.clock.advance('29d');
      expect((await deletionOf(token, eve.email)).body.status).toBe('Queued');
      expect((await eve.call('GET', '/user')).status).toBe(200);
      await bench.jar.clock.advance('1d');
      expect((await deletionOf(token, eve.email)).body.status).toBe('Completed');
      expect((await eve.call('GET', '/user')).status).toBe(401);
      const people = (await admin.call('GET', '/orgs/acme/users')).body;
      expect(people.map(({ name }: { name: string }) => name)).not.toContain('eve');
      expect((await admin.call('GET', '/orgs/acme/teams/eves/users')).body).toEqual([]);
      expect((await owner.call('GET', group)).body).toEqual([]);

      const another = await person(bench, 'eve');
      expect((await another.call('GET', '/orgs')).body).toEqual([]);
      expect((await another.call('POST', '/orgs', { display_name: 'eve alone' })).status).toBe(201);
      expect((await another.call('GET', '/api_tokens')).body).toHaveLength(1);
    });

    it('never orphans apps or organizations', async () => {
      const [fay, gus] = [await person(bench, 'fay'), await person(bench, 'gus')];
      await makeApp(fay, 'thing');
      await gus.call('POST', '/orgs', { display_name: 'gus and fay' });
      await joinOrg(bench, gus, 'gus-and-fay', fay, 'member');
      const [ofFay, ofGus] = [await askToDelete(fay), await askToDelete(gus)];
      await bench.jar.clock.advance('1m');
      const failed = (message: string) => ({ status: 'Failed', message: expect.stringContaining(message) });
      expect((await deletionOf(ofFay, fay.email)).body).toEqual(failed('owns apps'));
      expect((await deletionOf(ofGus, gus.email)).body).toEqual(failed("'gus-and-fay'"));

      // Obstacles that arise within the 30 days count, too.
      await fay.call('DELETE', '/apps/fay/thing');
      const again = await askToDelete(fay);
      await bench.jar.clock.advance('1d');
      await makeApp(fay, 'thing');
      await bench.jar.clock.advance('30d');
      expect((await deletionOf(again, fay.email)).body).toEqual(failed('owns apps'));
      expect((await fay.call('GET', '/apps/fay/thing')).status).toBe(200);
    });
  },
  { seed: SEED },
);
