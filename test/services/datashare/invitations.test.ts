import { beforeEach, expect, it } from 'vitest';
import { OTHER_TENANT } from '../../../src/kernel/auth/index.ts';
import { onAnyStore } from '../../support/jars.ts';
import { type Ask, CONSUMER, giver, good, makeAccounts, SHARE, side, TAKEN, taker } from './support.ts';

const OTTO = '20000000-0000-4000-8000-000000000011';
const LISTED = '/providers/Vendor.DataShare/listInvitations';
const PLACE = '/providers/Vendor.DataShare/locations/eastus';

onAnyStore('invitations', (bench) => {
  let give: Ask;
  let take: Ask;

  const invite = async (name: string, properties: object) =>
    (await good(give('PUT', `${SHARE}/invitations/${name}`, { properties }))).properties;
  const names = async (ask: Ask): Promise<string[]> =>
    (await good(ask('GET', LISTED))).value.map(({ name }: { name: string }) => name);
  const accept = (invitationId: string, name = 'numbers', ask = take) =>
    ask('PUT', `${CONSUMER}/shareSubscriptions/${name}`, {
      properties: { invitationId, sourceShareLocation: 'eastus' },
    });

  beforeEach(async () => {
    await bench.jar.reset();
    [give, take] = [await giver(bench), await taker(bench)];
    await makeAccounts(give, take);
    await good(give('PUT', SHARE, { properties: { terms: 'Be kind' } }));
  });

  it('are found by an id in a directory', async () => {
    const { invitationId } = await invite('byid', { targetActiveDirectoryId: OTHER_TENANT, targetObjectId: OTTO });
    expect(await names(take)).toEqual(['byid']);
    const seen = await good(take('GET', `${PLACE}/consumerInvitations/${invitationId}`));
    expect(seen).toMatchObject({ name: 'byid', properties: { invitationStatus: 'Pending', termsOfUse: 'Be kind' } });
    expect(
      (await take('GET', `/providers/Vendor.DataShare/locations/westus/consumerInvitations/${invitationId}`)).status,
    ).toBe(404);
    expect((await give('GET', `${PLACE}/consumerInvitations/${invitationId}`)).status).toBe(404);
    await good(accept(invitationId), 201);
    expect(await names(take)).toEqual([]);
  });

  it('can be turned down, once', async () => {
    const { invitationId } = await invite('otto', { targetEmail: 'other@other.example' });
    const elsewhere = PLACE.replace('eastus', 'westus');
    expect((await take('POST', `${elsewhere}/rejectInvitation`, { properties: { invitationId } })).status).toBe(404);
    const rejected = await good(take('POST', `${PLACE}/rejectInvitation`, { properties: { invitationId } }), 200);
    expect(rejected.properties.invitationStatus).toBe('Rejected');
    const again = await take('POST', `${PLACE}/rejectInvitation`, { properties: { invitationId } });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'InvitationNotPending' } } });
    expect(await accept(invitationId)).toMatchObject({ status: 409 });
    const seen = await good(give('GET', `${SHARE}/invitations/otto`));
    expect(seen.properties).toMatchObject({ invitationStatus: 'Rejected', respondedAt: expect.any(String) });
  });

  it('end by the clock', async () => {
    const expirationDate = new Date(bench.jar.clock.now().getTime() + 86_400_000).toISOString();
    const { invitationId } = await invite('otto', { targetEmail: 'other@other.example', expirationDate });
    await bench.jar.clock.advance('23h');
    expect(await names(take)).toEqual(['otto']);
    await bench.jar.clock.advance('2h');
    expect(await names(take)).toEqual([]);
    expect((await good(give('GET', `${SHARE}/invitations/otto`))).properties.invitationStatus).toBe('Withdrawn');
    expect(await accept(invitationId)).toMatchObject({ status: 400, body: { error: { code: 'InvitationExpired' } } });
  });

  it('are withdrawn by being deleted', async () => {
    const { invitationId } = await invite('otto', { targetEmail: 'other@other.example' });
    expect((await give('DELETE', `${SHARE}/invitations/otto`)).status).toBe(200);
    expect(await names(take)).toEqual([]);
    expect((await accept(invitationId)).status).toBe(404);
  });

  it('can be accepted by one of two who try at once', async () => {
    const { invitationId } = await invite('otto', { targetEmail: 'other@other.example' });
    const replies = await Promise.all(['one', 'two', 'three'].map((name) => accept(invitationId, name)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await good(take('GET', `${CONSUMER}/shareSubscriptions`))).value).toHaveLength(1);
  });

  it('reach an address that the caller has proven to be theirs, for a year', async () => {
    await invite('elsewhere', { targetEmail: 'otto@elsewhere.example' });
    expect(await names(take)).toEqual([]);
    const registered = await good(take('POST', `${PLACE}/registerEmail`, { email: 'Otto@Elsewhere.example' }), 200);
    expect(registered).toMatchObject({ registrationStatus: 'ActivationPending', tenantId: OTHER_TENANT });
    expect(registered).not.toHaveProperty('activationCode');
    const list = await bench.call('GET', '/_jar/datashare/registrations', { token: bench.jar.adminKey });
    const [{ activationCode }] = list.body.value;
    const activate = (code: string) =>
      take('POST', `${PLACE}/activateEmail`, { email: 'otto@elsewhere.example', activationCode: code });
    expect(await activate('no')).toMatchObject({ status: 400, body: { error: { code: 'WrongActivationCode' } } });
    expect(await good(activate(activationCode), 200)).toMatchObject({ registrationStatus: 'Activated' });
    expect(await names(take)).toEqual(['elsewhere']);
    await bench.jar.clock.advance('366d');
    expect(await names(await taker(bench))).toEqual([]);
  });

  it('stay hidden from a user who guesses a code', async () => {
    await good(take('POST', `${PLACE}/registerEmail`), 200);
    const statuses = [];
    for (let i = 0; i < 6; i++) {
      const { body } = await take('POST', `${PLACE}/activateEmail`, { activationCode: 'guess' });
      statuses.push(body.error.code);
    }
    expect(statuses).toEqual([
      ...Array.from({ length: 4 }, () => 'WrongActivationCode'),
      'ActivationAttemptsExhausted',
      'ActivationAttemptsExhausted',
    ]);
    const again = await good(take('POST', `${PLACE}/registerEmail`), 200);
    expect(again.registrationStatus).toBe('ActivationAttemptsExhausted');
    await bench.jar.clock.advance('2h');
    const later = await good(take('POST', `${PLACE}/registerEmail`), 200);
    expect(later.registrationStatus).toBe('ActivationPending');
  });

  it('have codes that are good for an hour', async () => {
    await good(take('POST', `${PLACE}/registerEmail`), 200);
    const list = await bench.call('GET', '/_jar/datashare/registrations', { token: bench.jar.adminKey });
    await bench.jar.clock.advance('2h');
    const late = await take('POST', `${PLACE}/activateEmail`, { activationCode: list.body.value[0].activationCode });
    expect(late).toMatchObject({ status: 400, body: { error: { code: 'ActivationExpired' } } });
  });

  it('need an address from an application, which has none', async () => {
    const app = await side(bench, 'app');
    const refused = await app('POST', `${PLACE}/registerEmail`);
    expect(refused).toMatchObject({ status: 400, body: { error: { target: 'email' } } });
  });

  it('lead to a subscription that ends by the clock, sooner or later as the provider likes', async () => {
    const { invitationId } = await invite('otto', { targetEmail: 'other@other.example' });
    const at = (days: number) => new Date(bench.jar.clock.now().getTime() + days * 86_400_000).toISOString();
    const wish = { invitationId, sourceShareLocation: 'eastus', expirationDate: at(2) };
    await good(take('PUT', TAKEN, { properties: wish }), 201);
    const { value } = await good(give('GET', `${SHARE}/providerShareSubscriptions`));
    const consumer = `${SHARE}/providerShareSubscriptions/${value[0].name}`;
    expect(value[0].id).toBe(`${SHARE}/shareSubscriptions/${value[0].name}`);
    await good(give('POST', `${consumer}/adjust`, { properties: { expirationDate: at(4) } }), 200);
    await bench.jar.clock.advance('3d');
    expect((await good(take('GET', TAKEN))).properties.shareSubscriptionStatus).toBe('Active');
    await bench.jar.clock.advance('2d');
    expect((await good(take('GET', TAKEN))).properties.shareSubscriptionStatus).toBe('Revoked');
    const adjusted = await give('POST', `${consumer}/adjust`, { properties: { expirationDate: at(4) } });
    expect(adjusted).toMatchObject({ status: 400, body: { error: { code: 'ShareSubscriptionInWrongState' } } });
    const { properties } = await good(
      give('POST', `${consumer}/reinstate`, { properties: { expirationDate: at(1) } }),
      200,
    );
    expect(properties).toMatchObject({ shareSubscriptionStatus: 'Active', expirationDate: at(1) });
    await bench.jar.clock.advance('2d');
    expect((await good(take('GET', TAKEN))).properties.shareSubscriptionStatus).toBe('Revoked');
  });
});
