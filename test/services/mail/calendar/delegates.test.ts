import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const at = (hour: string) => ({ dateTime: `2030-01-07T${hour}:00:00`, timeZone: 'UTC' });
const OWNER = '/users/admin@vendor.example';
const people = (...names: readonly string[]) =>
  names.map((name) => ({ emailAddress: { address: `${name}@vendor.example` } }));

interface Shown {
  readonly subject: string;
  readonly isDelegated?: boolean;
  readonly meetingRequestType?: string;
}

onBothStores('a delegate of a calendar', (bench) => {
  let owner: Client;
  let delegate: Client;
  let guest: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    owner = await graphClient(bench, { version: 'beta' });
    delegate = await graphClient(bench, { user: 'licensed', version: 'beta' });
    guest = await graphClient(bench, { user: 'no-job-queue', version: 'beta' });
  });

  const share = (role: string) =>
    owner
      .api('/me/calendar/calendarPermissions')
      .post({ role, emailAddress: { address: 'licensed@vendor.example', name: 'Lin' } });
  const invite = (who: Client, names: readonly string[], more: object = {}) =>
    who
      .api('/me/events')
      .post({ subject: 'Review', start: at('09'), end: at('10'), attendees: people(...names), ...more });
  const folder = async (who: Client, name = 'inbox'): Promise<readonly Shown[]> => {
    await bench.jar.settled();
    return (await who.api(`/me/mailFolders/${name}/messages`).get()).value;
  };
  const types = (messages: readonly Shown[]) =>
    messages.map(({ subject, isDelegated, meetingRequestType }) => [subject, isDelegated, meetingRequestType]);

  it('sends meetings in the name of the owner, as the sender', async () => {
    await share('write');
    const event = { subject: 'Plan', start: at('09'), end: at('10'), attendees: people('no-job-queue') };
    const made = await delegate.api(`${OWNER}/calendar/events`).post(event);
    expect(made).toMatchObject({ isOrganizer: true, organizer: { emailAddress: { address: 'admin@vendor.example' } } });
    await bench.jar.settled();
    const [mail] = (await guest.api('/me/mailFolders/inbox/messages').get()).value;
    expect(mail).toMatchObject({
      from: { emailAddress: { address: 'admin@vendor.example' } },
      sender: { emailAddress: { address: 'licensed@vendor.example' } },
    });
    const [sent] = (await owner.api('/me/mailFolders/sentitems/messages').get()).value;
    expect(sent).toMatchObject({ sender: { emailAddress: { address: 'licensed@vendor.example' } } });
    await owner.api(`/me/events/${made.id}`).patch({ subject: 'Own words' });
    await bench.jar.settled();
    const own = (await guest.api('/me/messages').filter("subject eq 'Own words'").get()).value;
    expect(own).toMatchObject([{ sender: { emailAddress: { address: 'admin@vendor.example' } } }]);
  });

  it('gets what comes for the owner, whose calendar has the event, and answers it there', async () => {
    await share('delegateWithoutPrivateEventAccess');
    const meeting = await invite(guest, ['admin']);
    expect(types(await folder(delegate))).toEqual([['Review', true, 'newMeetingRequest']]);
    expect(await folder(owner)).toEqual([]);
    expect(types(await folder(owner, 'deleteditems'))).toEqual([['Review', false, 'newMeetingRequest']]);
    expect((await delegate.api('/me/events').get()).value).toEqual([]);
    const [event] = (await delegate.api(`${OWNER}/calendar/events`).get()).value;
    await delegate.api(`${OWNER}/calendar/events/${event.id}/accept`).post({ comment: 'She comes' });
    const [answer] = await folder(guest);
    expect(answer).toMatchObject({
      subject: 'Accepted: Review',
      isDelegated: true,
      from: { emailAddress: { address: 'admin@vendor.example' } },
      sender: { emailAddress: { address: 'licensed@vendor.example' } },
    });
    expect((await guest.api(`/me/events/${meeting.id}`).get()).attendees).toMatchObject([
      { status: { response: 'accepted' } },
    ]);
    await guest.api(`/me/events/${meeting.id}`).patch({ start: at('11'), end: at('12') });
    const requests = await folder(delegate);
    expect(requests.map(({ meetingRequestType }) => meetingRequestType).toSorted()).toEqual(['fullUpdate', 'outdated']);
  });

  it.each([
    ['sendToDelegateAndPrincipal', 'newMeetingRequest'],
    ['sendToDelegateAndInformationToPrincipal', 'principalWantsCopy'],
  ])('by %s the owner has %s too', async (delegateMeetingMessageDeliveryOptions, type) => {
    await share('delegateWithPrivateEventAccess');
    await owner.api('/me/mailboxSettings').patch({ delegateMeetingMessageDeliveryOptions });
    await invite(guest, ['admin'], { sensitivity: 'private' });
    expect(types(await folder(delegate))).toEqual([['Review', true, 'newMeetingRequest']]);
    expect(types(await folder(owner))).toEqual([['Review', false, type]]);
  });

  it('gets answers to meetings of the owner, and nothing private or not about meetings', async () => {
    await share('delegateWithoutPrivateEventAccess');
    await invite(owner, ['no-job-queue'], { subject: 'Own' });
    await bench.jar.settled();
    const [event] = (await guest.api('/me/events').get()).value;
    await guest.api(`/me/events/${event.id}/accept`).post({});
    expect(types(await folder(delegate))).toEqual([['Accepted: Own', true, undefined]]);
    await invite(guest, ['admin'], { subject: 'Secret', sensitivity: 'private' });
    await bench.jar.mailbox('admin').send({ subject: 'Lunch', text: 'At noon?' });
    expect((await folder(delegate)).map(({ subject }) => subject)).toEqual(['Accepted: Own']);
    expect((await folder(owner)).map(({ subject }) => subject).toSorted()).toEqual(['Lunch', 'Secret']);
  });

  it('does not get back what the delegate has sent; who may only write gets nothing', async () => {
    await share('delegateWithPrivateEventAccess');
    await invite(delegate, ['admin']);
    expect(await folder(delegate)).toEqual([]);
    expect(types(await folder(owner))).toEqual([['Review', false, 'newMeetingRequest']]);
    const [permission] = (await owner.api('/me/calendar/calendarPermissions').get()).value.filter(
      ({ role }: { role: string }) => role.startsWith('delegate'),
    );
    await owner.api(`/me/calendar/calendarPermissions/${permission.id}`).patch({ role: 'write' });
    await invite(guest, ['admin']);
    expect(await folder(delegate)).toEqual([]);
    expect(await folder(owner)).toHaveLength(2);
  });
});
