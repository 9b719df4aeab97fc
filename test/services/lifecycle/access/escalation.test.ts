import { describe, expect, it } from 'vitest';
import { type Bench, onAnyStore, type Reply } from '../../../support/jars.ts';
import { joinOrg } from '../orgs/join.ts';
import { SEED, seeded } from '../people.ts';
import { by, invitationsTo, makeApp, type Person, person } from '../support.ts';

const accept = async (bench: Bench, invited: Person, to: 'apps' | 'orgs'): Promise<Reply> => {
  const [token] = await invitationsTo(bench, invited.email);
  return invited.call('POST', `/user/invitations/${to}/${token}/accept`, {});
};

async function makeOrg(admin: Person, name: string): Promise<void> {
  expect((await admin.call('POST', '/orgs', { display_name: name, name })).status).toBe(201);
}

async function joinApp(bench: Bench, manager: Person, app: string, invited: Person, role: string): Promise<void> {
  await manager.call('POST', `${app}/invitations`, { user_email: invited.email, role });
  expect((await accept(bench, invited, 'apps')).status).toBe(204);
}

const VOID = {
  status: 404,
  body: { error: { code: 'NotFound', message: expect.stringContaining('no longer valid') } },
};

onAnyStore(
  'rights that somebody should not have',
  (bench) => {
    describe('are not got by an invitation', () => {
      it('to an app that was given to another organization since', async () => {
        const [mallory, accomplice] = [await person(bench, 'mallory'), await person(bench, 'accomplice')];
        await joinOrg(bench, seeded(bench, 'org-admin'), 'acme', mallory, 'collaborator');
        await makeOrg(mallory, 'hers');
        await mallory.call('POST', '/orgs/hers/apps', { display_name: 'bait', os: 'iOS', platform: 'Unity' });
        const invited = { user_email: accomplice.email, role: 'admin' };
        expect((await mallory.call('POST', '/apps/hers/bait/invitations', invited)).status).toBe(204);
        expect((await mallory.call('POST', '/apps/hers/bait/transfer/acme', {})).status).toBe(200);
        expect((await accept(bench, accomplice, 'apps')).status).toBe(204);
        expect((await accomplice.call('GET', '/orgs/acme/users/accomplice')).body.role).toBe('member');
      });

      it('of a sender who may no longer invite, unless another sender renews it', async () => {
        const [ann, ben, cleo] = [await person(bench, 'ann'), await person(bench, 'ben'), await person(bench, 'cleo')];
        await makeApp(ann, 'shared');
        await joinApp(bench, ann, '/apps/ann/shared', ben, 'manager');
        const inviting = { user_email: cleo.email, role: 'manager' };
        expect((await ben.call('POST', '/apps/ann/shared/invitations', inviting)).status).toBe(204);
        await ann.call('PATCH', `/apps/ann/shared/users/${ben.email}`, { permissions: ['developer'] });
        expect(await accept(bench, cleo, 'apps')).toMatchObject(VOID);
        expect((await cleo.call('GET', '/apps/ann/shared')).status).toBe(404);
        expect((await ann.call('POST', '/apps/ann/shared/invitations', inviting)).status).toBe(204);
        expect((await accept(bench, cleo, 'apps')).status).toBe(204);
      });

      it('of a former admin, unless another sender renews it', async () => {
        const [dan, eva, finn] = [await person(bench, 'dan'), await person(bench, 'eva'), await person(bench, 'finn')];
        await makeOrg(dan, 'dans');
        await joinOrg(bench, dan, 'dans', eva, 'admin');
        await eva.call('POST', '/orgs/dans/invitations', { user_email: finn.email, role: 'admin' });
        expect((await eva.call('GET', '/invitations/sent')).body).toMatchObject([{ organization: { name: 'dans' } }]);
        expect((await dan.call('DELETE', '/orgs/dans/users/eva')).status).toBe(204);
        expect(await accept(bench, finn, 'orgs')).toMatchObject(VOID);
        expect((await finn.call('GET', '/orgs/dans')).status).toBe(404);
        // Her sent invitations reveal nothing about targets that she can no longer see.
        expect((await eva.call('GET', '/invitations/sent')).body).toEqual([{ invitation_id: expect.any(String) }]);
        expect((await dan.call('POST', `/orgs/dans/invitations/${finn.email}/resend`, {})).status).toBe(204);
        expect((await accept(bench, finn, 'orgs')).status).toBe(204);
      });
    });

    describe('are not kept by a token of an app', () => {
      it('when the app has another owner, its maker is gone from it, or another app has its name', async () => {
        const [gina, hugo] = [await person(bench, 'gina'), await person(bench, 'hugo')];
        await makeOrg(hugo, 'hugos');
        await joinOrg(bench, hugo, 'hugos', gina, 'collaborator');
        await makeApp(gina, 'moving');
        const made = await gina.call('POST', '/apps/gina/moving/api_tokens', {});
        const call = by(bench, made.body.api_token);
        const change = (app: string) => call('PATCH', app, { description: 'by the token' });
        expect((await change('/apps/gina/moving')).status).toBe(200);

        expect((await gina.call('POST', '/apps/gina/moving/transfer/hugos', {})).status).toBe(200);
        expect((await change('/apps/hugos/moving')).status).toBe(200);
        expect((await call('DELETE', '/apps/hugos/moving')).status).toBe(403);
        expect((await makeApp(gina, 'moving')).name).toBe('moving');
        expect((await change('/apps/gina/moving')).status).toBe(403);

        const ginas = `/apps/hugos/moving/users/${gina.email}`;
        await hugo.call('POST', '/apps/hugos/moving/invitations', { user_email: hugo.email, role: 'manager' });
        expect((await accept(bench, hugo, 'apps')).status).toBe(204);
        expect((await hugo.call('PATCH', ginas, { permissions: ['viewer'] })).status).toBe(204);
        expect((await change('/apps/hugos/moving')).status).toBe(403);
        expect((await hugo.call('DELETE', ginas)).status).toBe(204);
        expect((await change('/apps/hugos/moving')).status).toBe(404);
        expect((await hugo.call('DELETE', '/apps/hugos/moving')).status).toBe(204);
        expect((await change('/apps/hugos/moving')).status).toBe(401);
      });

      it('which does not learn either which other apps exist', async () => {
        const owner = seeded(bench, 'owner');
        const made = await owner.call('POST', '/apps/owner/phone/api_tokens', { scope: ['viewer'] });
        const call = by(bench, made.body.api_token);
        const [there, hidden, missing] = [
          await call('GET', '/apps/owner/other'),
          await call('GET', '/apps/acme/desk'),
          await call('GET', '/apps/acme/nothing'),
        ];
        expect(there.status).toBe(403);
        expect([hidden.text, missing.text]).toEqual([there.text, there.text]);
      });
    });

    it('are not left to a member who is removed while creating an app', async () => {
      const admin = seeded(bench, 'org-admin');
      const ivan = await person(bench, 'ivan');
      for (let round = 0; round < 6; round++) {
        await joinOrg(bench, admin, 'acme', ivan, 'collaborator');
        const wanted = { name: `race-${round}`, display_name: 'Race', os: 'Linux', platform: 'Electron' };
        const [made, removed] = await Promise.all([
          ivan.call('POST', '/orgs/acme/apps', wanted),
          admin.call('DELETE', '/orgs/acme/users/ivan'),
        ]);
        expect(removed.status).toBe(204);
        expect([201, 404]).toContain(made.status);
        expect((await ivan.call('GET', `/apps/acme/race-${round}`)).status).toBe(404);
        const people = await admin.call('GET', `/apps/acme/race-${round}/users`);
        expect([made.status, people.status, people.status === 200 && people.body]).toBeOneOf([
          [201, 200, []],
          [404, 404, false],
        ]);
      }
    });
  },
  { seed: SEED },
);
