import { generateKeyPair } from 'jose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { type People, people, UC } from '../catalog/people.ts';
import { makeTable } from '../catalog/tables/table-writer.ts';
import { ACCOUNT, all, workspaceClient } from '../sdk.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';
import { Issuer } from './issuer.ts';

const POLICIES = '/data-sharing/recipients/partner/federation-policies';
const AUDIENCE = 'https://sharing.example';
const SUBJECT = 'app-1';

onBothStores(
  'data platform: recipients that read with tokens of their own issuer',
  (bench) => {
    let given: People;
    let ask: Ask;
    let issuer: Issuer;

    beforeEach(async () => {
      given = await people(bench);
      ({ ask } = given);
      issuer = await Issuer.open();
      await makeTable(ask, 'main.default.orders');
      await good(ask('POST', `${UC}/shares`, { name: 'sales' }));
      const data_object = { name: 'main.default.orders', data_object_type: 'TABLE', shared_as: 'out.orders' };
      await good(ask('PATCH', `${UC}/shares/sales`, { updates: [{ action: 'ADD', data_object }] }));
    });
    afterEach(() => issuer.close());

    const recipient = async (name = 'partner') => {
      const made = await good(ask('POST', `${UC}/recipients`, { name, authentication_type: 'OIDC_FEDERATION' }));
      const changes = [{ principal: name, add: ['SELECT'] }];
      await good(ask('PATCH', `${UC}/shares/sales/permissions`, { changes }));
      return made;
    };

    const oidc = (rest: object = {}) => ({
      issuer: issuer.url,
      subject_claim: 'azp',
      subject: SUBJECT,
      audiences: [AUDIENCE],
      ...rest,
    });

    const shares = (token: string, at = '') =>
      bench.call('GET', `/delta-sharing${at}/shares`, { headers: { authorization: `Bearer ${token}` } });

    const token = (rest: Record<string, unknown> = {}) => issuer.sign({ aud: AUDIENCE, azp: SUBJECT, ...rest });

    it('the published client keeps policies, and a program of the partner reads what is shared', async () => {
      const { id } = await recipient();
      const { recipientFederationPolicies: api } = workspaceClient(bench, {
        token: await bench.jar.token({ user: 'admin' }),
      });
      const policy = { name: 'nightly', comment: 'Their program', oidc_policy: oidc() };
      const made = await api.create({ recipient_name: 'partner', policy });
      expect(made).toEqual({
        ...policy,
        id: expect.any(String),
        create_time: expect.any(String),
        update_time: expect.any(String),
      });
      expect(await api.getFederationPolicy({ recipient_name: 'partner', name: 'nightly' })).toEqual(made);
      expect(await all(api.list({ recipient_name: 'partner' }))).toEqual([made]);
      expect((await good(shares(await token()))).items).toMatchObject([{ name: 'sales' }]);
      expect((await good(shares(await token({ aud: ['x', AUDIENCE] }), `/recipients/${id}`))).items).toHaveLength(1);
      const metadata = await bench.call('GET', '/delta-sharing/shares/sales/schemas/out/tables/orders/metadata', {
        headers: { authorization: `Bearer ${await token()}` },
      });
      expect(metadata.text).toContain('"protocol"');

      const old = await token();
      await issuer.rotate();
      expect(await shares(old)).toMatchObject({
        status: 401,
        body: { message: expect.stringContaining('no such key') },
      });
      expect((await shares(await token())).status).toBe(200);

      await api.delete({ recipient_name: 'partner', name: 'nightly' });
      expect(await shares(await token())).toMatchObject({
        status: 401,
        body: { errorCode: 'UNAUTHENTICATED', message: expect.stringContaining('No federation policy accepts') },
      });
    });

    it('what a token lacks is said', async () => {
      const { id } = await recipient();
      await good(ask('POST', POLICIES, { name: 'p', oidc_policy: oidc() }));
      await good(
        ask('POST', POLICIES, { name: 'group', oidc_policy: oidc({ subject_claim: 'groups', subject: 'analysts' }) }),
      );
      const stranger = await generateKeyPair('ES256');
      const claims = { aud: AUDIENCE, azp: SUBJECT };
      const cases: readonly [string, number, RegExp][] = [
        [await token({ exp: 1 }), 401, /has expired/],
        [await token({ aud: 'another' }), 401, /accepts its audience/],
        [await token({ azp: 'app-2' }), 401, /accepts its subject/],
        [await token({ iss: 'https://other.example' }), 401, /No federation policy accepts tokens of the issuer/],
        [await issuer.sign(claims, stranger), 401, /signature does not verify/],
        ['a.b.c', 401, /no issuer/],
        ['nonsense', 401, /unknown/],
      ];
      for (const [sent, status, message] of cases)
        expect(await shares(sent)).toMatchObject({ status, body: { message: expect.stringMatching(message) } });
      expect((await shares(await token({ azp: undefined, groups: ['x', 'analysts'] }))).status).toBe(200);
      // Without audiences it is the id of the account.
      await good(ask('PATCH', `${POLICIES}/p?update_mask=oidc_policy.audiences`, { oidc_policy: {} }));
      expect((await shares(await token({ aud: ACCOUNT }))).status).toBe(200);
      await good(
        ask('PATCH', `${POLICIES}/p?update_mask=oidc_policy.audiences`, { oidc_policy: { audiences: [AUDIENCE] } }),
      );
      expect((await shares(await token(), `/recipients/${id}x`)).status).toBe(401);
      const gone = await Issuer.open();
      const path = `${POLICIES}/p`;
      await good(ask('PATCH', `${path}?update_mask=oidc_policy.issuer`, { oidc_policy: { issuer: gone.url } }));
      const unread = await gone.sign(claims);
      await gone.close();
      expect(await shares(unread)).toMatchObject({
        status: 503,
        body: { errorCode: 'TEMPORARILY_UNAVAILABLE', message: expect.stringContaining('cannot be read') },
      });
    });

    it("the jar's own directory is an issuer, an address names one of several recipients, and a list of addresses holds", async () => {
      const one = await recipient();
      const two = await recipient('second');
      const jarToken = await bench.jar.token({ user: 'licensed', audience: AUDIENCE });
      const { iss, oid } = JSON.parse(Buffer.from(jarToken.split('.')[1] ?? '', 'base64url').toString());
      const oidc_policy = { issuer: iss, subject_claim: 'oid', subject: oid, audiences: [AUDIENCE] };
      await good(ask('POST', POLICIES, { name: 'p', oidc_policy }));
      expect((await shares(jarToken)).status).toBe(200);
      await good(ask('POST', '/data-sharing/recipients/second/federation-policies', { name: 'p', oidc_policy }));
      expect(await shares(jarToken)).toMatchObject({
        status: 401,
        body: { message: expect.stringContaining('Several recipients accept this token') },
      });
      for (const { id } of [one, two]) expect((await shares(jarToken, `/recipients/${id}`)).status).toBe(200);
      await good(
        ask('PATCH', `${UC}/recipients/partner`, { ip_access_list: { allowed_ip_addresses: ['203.0.113.0/24'] } }),
      );
      expect((await shares(jarToken, `/recipients/${one.id}`)).status).toBe(403);
      await good(ask('DELETE', `${UC}/recipients/second`));
      expect((await shares(jarToken, `/recipients/${two.id}`)).status).toBe(401);
    });
  },
  { allowHttpLoopback: true },
);

onAnyStore('data platform: rules of the federation policies of recipients', (bench) => {
  it('policies are checked, changed by masks, counted, and only for those who manage the recipient', async () => {
    const given = await people(bench);
    const { ask, other } = given;
    await good(ask('POST', `${UC}/recipients`, { name: 'partner', authentication_type: 'OIDC_FEDERATION' }));
    await good(ask('POST', `${UC}/recipients`, { name: 'plain', authentication_type: 'TOKEN' }));
    const oidc_policy = { issuer: 'https://i.example', subject_claim: 'sub', subject: 's' };
    const create = async (body: object, at = POLICIES, who = ask) => refusal(await who('POST', at, body));
    const invalid = (message: RegExp) => ({ status: 400, message: expect.stringMatching(message) });
    const wrong: readonly [object, object][] = [
      [{ oidc_policy }, invalid(/Missing required field: name/)],
      [{ name: 'No Spaces', oidc_policy }, invalid(/not a valid name/)],
      [{ name: 'p' }, invalid(/oidc_policy.issuer/)],
      [{ name: 'p', oidc_policy: { ...oidc_policy, issuer: undefined } }, invalid(/oidc_policy.issuer/)],
      [{ name: 'p', oidc_policy: { ...oidc_policy, issuer: 'x' } }, invalid(/must be a URL/)],
      [{ name: 'p', oidc_policy: { ...oidc_policy, subject: undefined } }, invalid(/oidc_policy.subject/)],
      [{ name: 'p', oidc_policy: { ...oidc_policy, subject_claim: 'email' } }, invalid(/subject_claim/)],
      [{ name: 'p', oidc_policy: { ...oidc_policy, audiences: [''] } }, invalid(/audiences/)],
    ];
    for (const [body, seen] of wrong) expect(await create(body), JSON.stringify(body)).toMatchObject(seen);
    const elsewhere = '/data-sharing/recipients/plain/federation-policies';
    expect(await create({ name: 'p', oidc_policy }, elsewhere)).toMatchObject(invalid(/not OIDC_FEDERATION/));
    const nobody = '/data-sharing/recipients/none/federation-policies';
    expect(await create({ name: 'p', oidc_policy }, nobody)).toMatchObject({ status: 404 });
    expect(await create({ name: 'p', oidc_policy }, POLICIES, other)).toMatchObject({ status: 403 });
    const stranger = await person(bench, 'other');
    expect(await create({ name: 'p', oidc_policy }, POLICIES, stranger)).toMatchObject({ status: 404 });

    const twice = await Promise.all([1, 2].map(() => create({ name: 'p', comment: 'c', oidc_policy })));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400]);
    const change = (mask: string, body: object) => ask('PATCH', `${POLICIES}/p${mask}`, body);
    const part = { oidc_policy: { subject: 't', audiences: ['a'] } };
    expect(await good(change('?update_mask=oidc_policy.subject', part))).toMatchObject({
      comment: 'c',
      oidc_policy: { ...oidc_policy, subject: 't' },
    });
    expect(await good(change('?update_mask=comment', { oidc_policy }))).not.toHaveProperty('comment');
    expect(await good(change('', { comment: 'new' }))).toMatchObject({ comment: 'new', oidc_policy: { subject: 't' } });
    expect(refusal(await change('?update_mask=nothing', {}))).toMatchObject({ status: 400 });
    expect(refusal(await ask('PATCH', `${POLICIES}/none`, {}))).toMatchObject({ status: 404 });
    expect(refusal(await ask('DELETE', `${POLICIES}/none`))).toMatchObject({ status: 404 });
    expect(refusal(await other('GET', POLICIES))).toMatchObject({ status: 403 });

    await control(bench, 'PATCH', 'limits', { name: 'platform.recipient-policies', limit: 3 });
    const made = await Promise.all([1, 2, 3, 4].map((number) => create({ name: `n${number}`, oidc_policy })));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(2);
    const page = await good(ask('GET', `${POLICIES}?max_results=2`));
    expect(page.policies).toHaveLength(2);
    const rest = await good(ask('GET', `${POLICIES}?max_results=2&page_token=${page.next_page_token}`));
    expect(rest).toEqual({ policies: [expect.objectContaining({ name: 'p' })] });
    await good(ask('DELETE', `${POLICIES}/p`));
    expect(await create({ name: 'x', oidc_policy: { ...oidc_policy, audiences: [] } })).toMatchObject({ status: 200 });
  });
});
