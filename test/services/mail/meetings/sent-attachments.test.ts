import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const at = (day: string, hour: string) => ({ dateTime: `${day}T${hour}:00:00`, timeZone: 'UTC' });
const file = (name: string, content = name, more: object = {}) => ({
  '@odata.type': '#microsoft.graph.fileAttachment',
  name,
  contentBytes: Buffer.from(content).toString('base64'),
  ...more,
});
const reference = {
  '@odata.type': '#microsoft.graph.referenceAttachment',
  name: 'Plans',
  sourceUrl: 'https://files.example/plans',
  providerType: 'other',
  permission: 'view',
  isFolder: false,
};
const WINDOW = 'startDateTime=2030-01-01T00:00:00Z&endDateTime=2030-02-01T00:00:00Z';

onBothStores('attachments that an organizer sends', (bench) => {
  let organizer: Client;
  let guest: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    organizer = await graphClient(bench);
    guest = await graphClient(bench, { user: 'licensed' });
  });

  const invite = (more: object = {}) =>
    organizer.api('/me/events').post({
      subject: 'Review',
      start: at('2030-01-07', '12'),
      end: at('2030-01-07', '13'),
      attendees: [{ emailAddress: { address: 'licensed@vendor.example' } }],
      ...more,
    });
  const invited = async () => {
    await bench.jar.settled();
    return (await guest.api('/me/events').expand('attachments').get()).value[0];
  };
  const inbox = async () =>
    (await guest.api('/me/mailFolders/inbox/messages').version('beta').expand('attachments').get()).value;
  const names = ({ attachments }: { readonly attachments: readonly { readonly name: string }[] }) =>
    attachments.map(({ name }) => name);

  it('come with the invitation: as parts of the mail, and on the event of the invitee', async () => {
    const body = { contentType: 'html', content: '<p><img src="cid:logo"></p>' };
    const inline = file('logo.png', 'pixels', { isInline: true, contentId: 'logo', contentType: 'image/png' });
    await invite({ body, attachments: [file('agenda.txt', '1. Welcome'), inline, reference] });
    const event = await invited();
    expect(event).toMatchObject({
      hasAttachments: true,
      attachments: [
        { '@odata.type': '#microsoft.graph.referenceAttachment', name: 'Plans' },
        { name: 'logo.png', isInline: true, contentId: 'logo' },
        { name: 'agenda.txt', contentBytes: Buffer.from('1. Welcome').toString('base64') },
      ],
    });
    const [mail] = await inbox();
    expect(mail).toMatchObject({ hasAttachments: true, meetingRequestType: 'newMeetingRequest' });
    expect(names(mail).toSorted()).toEqual(['agenda.txt', 'logo.png']);
    const [sent] = (await organizer.api('/me/mailFolders/sentitems/messages').expand('attachments').get()).value;
    expect(names(sent).toSorted()).toEqual(['Plans', 'agenda.txt', 'logo.png']);
  });

  it('are sent by an update when the organizer adds or removes one; the answers stay', async () => {
    const meeting = await invite();
    const { id } = await invited();
    await guest.api(`/me/events/${id}/accept`).post({});
    const path = `/me/events/${meeting.id}/attachments`;
    const added = await organizer.api(path).post(file('agenda.txt'));
    let event = await invited();
    expect([event.hasAttachments, names(event), event.responseStatus.response]).toEqual([
      true,
      ['agenda.txt'],
      'accepted',
    ]);
    expect((await inbox()).map((mail: { meetingRequestType: string }) => mail.meetingRequestType)).toEqual([
      'informationalUpdate',
    ]);
    await organizer.api(path).post(file('minutes.txt'));
    expect(names(await invited())).toEqual(['agenda.txt', 'minutes.txt']);
    await organizer.api(`${path}/${added.id}`).delete();
    event = await invited();
    expect([event.hasAttachments, names(event)]).toEqual([true, ['minutes.txt']]);
    const [left] = (await organizer.api(path).get()).value;
    await organizer.api(`${path}/${left.id}`).delete();
    event = await invited();
    expect([event.hasAttachments, names(event), event.responseStatus.response]).toEqual([false, [], 'accepted']);
    const attendees = (await organizer.api(`/me/events/${meeting.id}`).get()).attendees;
    expect(attendees[0].status.response).toBe('accepted');
  });

  it('stay with later updates, and are sent to attendees who are invited later or by a forward', async () => {
    const meeting = await invite({ attachments: [file('agenda.txt')] });
    await invited();
    await organizer.api(`/me/events/${meeting.id}`).patch({ location: { displayName: 'Room 4' } });
    const event = await invited();
    expect([event.location.displayName, names(event)]).toEqual(['Room 4', ['agenda.txt']]);
    const to = [{ emailAddress: { address: 'no-job-queue@vendor.example' } }];
    await guest.api(`/me/events/${event.id}/forward`).post({ toRecipients: to });
    await bench.jar.settled();
    const third = await graphClient(bench, { user: 'no-job-queue' });
    expect(names((await third.api('/me/events').expand('attachments').get()).value[0])).toEqual(['agenda.txt']);
  });

  it('a colleague with whom the calendar is shared is the sender of the update', async () => {
    const colleague = { emailAddress: { address: 'delegated-admin@vendor.example' }, role: 'write' };
    await organizer.api('/me/calendar/calendarPermissions').post(colleague);
    const meeting = await invite();
    const other = await graphClient(bench, { user: 'delegated-admin' });
    await other.api(`/users/admin@vendor.example/events/${meeting.id}/attachments`).post(file('agenda.txt'));
    expect(names(await invited())).toEqual(['agenda.txt']);
    const senders = (await inbox()).map(({ sender }: { sender: typeof colleague }) => sender.emailAddress.address);
    expect(senders.toSorted()).toEqual(['admin@vendor.example', 'delegated-admin@vendor.example']);
  });

  it('an attendee keeps files on the own copy, without a mail', async () => {
    await invite();
    const { id } = await invited();
    await guest.api(`/me/events/${id}/attachments`).post(file('notes.txt'));
    await bench.jar.settled();
    expect((await organizer.api('/me/mailFolders/inbox/messages').get()).value).toEqual([]);
    expect(names(await invited())).toEqual(['notes.txt']);
  });

  it('belong to a series; an attendee of a single occurrence gets them with it', async () => {
    const master = await invite({
      attachments: [file('agenda.txt')],
      recurrence: {
        pattern: { type: 'daily', interval: 1 },
        range: { type: 'numbered', startDate: '2030-01-07', numberOfOccurrences: 3 },
      },
    });
    const [, second] = (await organizer.api(`/me/events/${master.id}/instances?${WINDOW}`).get()).value;
    await organizer.api(`/me/events/${second.id}`).patch({ subject: 'Another' });
    const event = await invited();
    const shown = (await guest.api(`/me/events/${event.id}/instances?${WINDOW}`).get()).value;
    expect(shown.map((each: { hasAttachments: boolean }) => each.hasAttachments)).toEqual([true, true, true]);
    const mails = (await inbox()).map((mail: { subject: string; hasAttachments: boolean }) => [
      mail.subject,
      mail.hasAttachments,
    ]);
    expect(mails).toContainEqual(['Another', false]);
    const attendees = ['licensed', 'no-job-queue'].map((name) => ({
      emailAddress: { address: `${name}@vendor.example` },
    }));
    await organizer.api(`/me/events/${second.id}`).patch({ attendees });
    await bench.jar.settled();
    const third = await graphClient(bench, { user: 'no-job-queue' });
    const [alone] = (await third.api('/me/events').expand('attachments').get()).value;
    expect([alone.type, names(alone)]).toEqual(['exception', ['agenda.txt']]);
  });

  it('a meeting whose mail would be too large is refused, and nothing changes', async () => {
    await bench.call('PATCH', '/_jar/mail/settings', {
      body: { messageSizeLimit: 1_048_576 },
      token: bench.jar.adminKey,
    });
    const meeting = await invite();
    const large = file('large.bin', 'x'.repeat(900_000));
    await expect(organizer.api(`/me/events/${meeting.id}/attachments`).post(large)).rejects.toMatchObject({
      statusCode: 413,
      code: 'ErrorMessageSizeExceeded',
    });
    expect((await organizer.api(`/me/events/${meeting.id}`).get()).hasAttachments).toBe(false);
    expect(names(await invited())).toEqual([]);
  });
});
