import { beforeEach, expect, it } from 'vitest';
import { OTHER_TENANT } from '../../../src/kernel/auth/index.ts';
import { type Bench, onBothStores } from '../../support/jars.ts';
import { type Ask, giver, good, makeAccounts, SHARE, taker } from './support.ts';

const PLACE = '/providers/Vendor.DataShare/locations/eastus';
const OTTO = '20000000-0000-4000-8000-000000000011';

const administrator = async (bench: Bench, path: string) =>
  (await bench.call('GET', path, { token: bench.jar.adminKey })).body.value;

onBothStores('mail about data sharing', (bench) => {
  let give: Ask;
  let take: Ask;

  const invite = async (name: string, properties: object) =>
    (await good(give('PUT', `${SHARE}/invitations/${name}`, { properties }))).properties;
  const inbox = async () => {
    await bench.jar.settled();
    return bench.jar.mailbox('other').messages();
  };

  beforeEach(async () => {
    await bench.jar.reset();
    [give, take] = [await giver(bench), await taker(bench)];
    await makeAccounts(give, take);
    await good(give('PUT', SHARE, { properties: { description: 'All numbers', terms: 'Be kind' } }));
  });

  it('brings an invitation into the mailbox of the invited, once', async () => {
    const { invitationId } = await invite('otto', { targetEmail: 'other@other.example' });
    await invite('otto', { targetEmail: 'other@other.example' });
    const messages = await inbox();
    expect(messages).toMatchObject([
      {
        from: 'no-reply@vendor.example',
        to: ['other@other.example'],
        subject: 'Ada Admin wants to share data with you: numbers',
      },
    ]);
    const { text = '', headers = {} } = messages[0] ?? {};
    expect(text).toContain(`Invitation: ${invitationId}`);
    expect(text).toContain('Terms of use: Be kind');
    expect(headers).toMatchObject({
      'reply-to': 'Ada Admin <admin@vendor.example>',
      'auto-submitted': 'auto-generated',
    });
  });

  it('stays in the jar if the recipient is elsewhere and there is no relay', async () => {
    await invite('dan', { targetEmail: 'dan@fabrikam.example' });
    await bench.jar.settled();
    expect(await administrator(bench, '/_jar/mail/kept')).toMatchObject([
      { from: 'no-reply@vendor.example', to: 'dan@fabrikam.example', userId: '' },
    ]);
  });

  it('is not sent for an id in a directory, nor for an invitation that is refused', async () => {
    await invite('byid', { targetActiveDirectoryId: OTHER_TENANT, targetObjectId: OTTO });
    const refused = await give('PUT', `${SHARE}/invitations/otto`, {
      properties: { targetEmail: 'other@other.example', expirationDate: '1999-01-01T00:00:00Z' },
    });
    expect(refused.status).toBe(400);
    expect(await inbox()).toEqual([]);
  });

  it('brings the code that proves an address', async () => {
    await good(take('POST', `${PLACE}/registerEmail`), 200);
    const [message] = await inbox();
    expect(message).toMatchObject({ from: 'no-reply@other.example' });
    const [activationCode] = /\d{6}/.exec(message?.text ?? '') ?? [];
    const activated = await good(take('POST', `${PLACE}/activateEmail`, { activationCode }), 200);
    expect(activated.registrationStatus).toBe('Activated');
  });
});
