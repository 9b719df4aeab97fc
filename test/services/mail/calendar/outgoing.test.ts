import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { type Bench, onAnyStore } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';
import { mail, Post, type Shown } from '../meetings/arrivals.ts';

/** Mail about meetings as it leaves the jar. */

const ADA = 'admin@vendor.example';
const LIN = 'licensed@vendor.example';
const ANN = 'ann@fabrikam.example';
const BOB = 'bob@fabrikam.example';
const at = (dateTime: string) => ({ dateTime, timeZone: 'UTC' });
const person = (address: string) => ({ emailAddress: { address } });
const MEETING = { subject: 'Planning', start: at('2026-05-04T09:00:00'), end: at('2026-05-04T10:00:00') };
const file = (name: string, text: string) => ({
  '@odata.type': '#microsoft.graph.fileAttachment',
  name,
  contentType: 'text/plain',
  contentBytes: Buffer.from(text).toString('base64'),
});
const link = (name: string, sourceUrl: string) => ({
  '@odata.type': '#microsoft.graph.referenceAttachment',
  name,
  sourceUrl,
  providerType: 'other',
  permission: 'view',
  isFolder: false,
});

interface Kept {
  readonly to: string;
  readonly header: string;
  /** Unfolded lines of the calendar. */
  readonly calendar: readonly string[];
}

async function keptMails(bench: Bench): Promise<readonly Kept[]> {
  await bench.jar.settled();
  const get = (path: string) => bench.call('GET', `/_jar/mail/kept${path}`, { token: bench.jar.adminKey });
  const kept: Kept[] = [];
  for (const { id, to } of (await get('?$orderby=to')).body.value) {
    const { text: source } = await get(`/${id}/source`);
    const encoded = /text\/calendar[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(source)?.[1] ?? '';
    const calendar = Buffer.from(encoded, 'base64').toString().replace(/\r\n /g, '').split('\r\n');
    kept.push({ to, header: source.slice(0, source.indexOf('\r\n\r\n')), calendar });
  }
  return kept;
}

const linesOf = ({ calendar }: Kept, name: string): readonly string[] =>
  calendar.filter((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`));

onAnyStore('mail about meetings that goes out', (bench) => {
  let ada: Client;
  let lin: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    ada = await graphClient(bench, { version: 'beta' });
    lin = await graphClient(bench, { user: 'licensed', version: 'beta' });
  });

  const eventOf = async (client: Client): Promise<Shown> => {
    await bench.jar.settled();
    const { value } = await client.api('/me/events').get();
    expect(value).toHaveLength(1);
    return value[0];
  };
  const attachedTo = async (client: Client, { id }: { readonly id: string }) =>
    (await client.api(`/me/events/${id}/attachments`).get()).value.map(({ name, contentBytes, sourceUrl }: Shown) => ({
      name,
      content: sourceUrl ?? Buffer.from(contentBytes, 'base64').toString(),
    }));

  it('names no other attendee in the cancellation of a meeting with hidden attendees', async () => {
    const { id } = await ada
      .api('/me/events')
      .post({ ...MEETING, hideAttendees: true, attendees: [person(ANN), person(BOB)] });
    await ada.api(`/me/events/${id}`).delete();
    const cancellations = (await keptMails(bench)).filter(({ calendar }) => calendar.includes('METHOD:CANCEL'));
    expect(cancellations.map(({ to }) => to)).toEqual([ANN, BOB]);
    for (const one of cancellations) {
      expect(linesOf(one, 'ATTENDEE')).toHaveLength(1);
      expect(linesOf(one, 'ATTENDEE')[0]).toContain(one.to);
      expect(one.header).not.toContain(one.to === ANN ? BOB : ANN);
    }
  });

  it('has STATUS:CANCELLED if the meeting is cancelled for all, but not if only the recipients are removed', async () => {
    const { id } = await ada.api('/me/events').post({ ...MEETING, attendees: [person(ANN), person(LIN)] });
    await ada.api(`/me/events/${id}`).patch({ attendees: [person(BOB)] });
    const [withoutAnn] = (await keptMails(bench)).filter(({ calendar }) => calendar.includes('METHOD:CANCEL'));
    expect(withoutAnn).toMatchObject({ to: ANN });
    expect(withoutAnn && linesOf(withoutAnn, 'STATUS')).toEqual([]);
    expect(await eventOf(lin)).toMatchObject({ isCancelled: true });
    await ada.api(`/me/events/${id}`).delete();
    const toBob = (await keptMails(bench)).filter(
      ({ to, calendar }) => to === BOB && calendar.includes('METHOD:CANCEL'),
    );
    expect(toBob.map((each) => linesOf(each, 'STATUS'))).toEqual([['STATUS:CANCELLED']]);
  });

  it('gives the organizer’s calendar back its own number in an answer', async () => {
    const post = new Post(bench, ada, ADA);
    await post.send(
      mail('REQUEST', {
        UID: 'review@fabrikam.example',
        DTSTAMP: '20260105T080000Z',
        DTSTART: '20260504T090000Z',
        ORGANIZER: `:mailto:${ANN}`,
        ATTENDEE: `:mailto:${ADA}`,
        'X-MICROSOFT-CDO-OWNERAPPTID': '2120154321',
      }),
    );
    await ada.api(`/me/events/${(await eventOf(ada)).id}/accept`).post({});
    const [answer] = await keptMails(bench);
    expect(answer?.calendar).toContain('METHOD:REPLY');
    expect(answer?.calendar).toContain('X-MICROSOFT-CDO-OWNERAPPTID:2120154321');
  });

  it('says in a forwarded invitation how the organizer means it', async () => {
    await ada.api('/me/events').post({ ...MEETING, showAs: 'oof', attendees: [person(LIN)] });
    const { id } = await eventOf(lin);
    await lin.api(`/me/events/${id}/forward`).post({ toRecipients: [person(ANN)] });
    const [forwarded] = await keptMails(bench);
    expect(forwarded?.calendar).toContain('X-MICROSOFT-CDO-INTENDEDSTATUS:OOF');
    expect(forwarded?.calendar).toContain('X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE');
  });

  it('has the attachments of the meeting, from the invitation on', async () => {
    const attachments = [file('agenda.txt', 'First'), link('Plan', 'https://fabrikam.example/plan')];
    await ada.api('/me/events').post({ ...MEETING, attendees: [person(LIN), person(ANN)], attachments });
    const expected = [
      { name: 'Plan', content: 'https://fabrikam.example/plan' },
      { name: 'agenda.txt', content: 'First' },
    ];
    const invited = await eventOf(lin);
    expect(invited).toMatchObject({ hasAttachments: true });
    expect(await attachedTo(lin, invited)).toEqual(expected);
    const [request] = await keptMails(bench);
    expect(request && linesOf(request, 'ATTACH')).toEqual(['ATTACH;FILENAME=Plan:https://fabrikam.example/plan']);
    const sent = (await ada.api('/me/mailFolders/sentitems/messages').expand('attachments').get()).value;
    expect(sent).toMatchObject([{ hasAttachments: true, attachments: [{ name: 'agenda.txt' }, { name: 'Plan' }] }]);
  });

  it('sends attendees attachments that the organizer adds later, and removes those that the organizer removes', async () => {
    const { id } = await ada.api('/me/events').post({ ...MEETING, attendees: [person(LIN)] });
    const { id: invited } = await eventOf(lin);
    await lin.api(`/me/events/${invited}/accept`).post({});
    const added = await ada.api(`/me/events/${id}/attachments`).post(file('agenda.txt', 'First'));
    const updated = await eventOf(lin);
    expect(updated).toMatchObject({ id: invited, hasAttachments: true, responseStatus: { response: 'accepted' } });
    expect(await attachedTo(lin, updated)).toEqual([{ name: 'agenda.txt', content: 'First' }]);
    const { value } = await lin.api('/me/mailFolders/inbox/messages').get();
    expect(value).toMatchObject([{ meetingRequestType: 'informationalUpdate', hasAttachments: true }]);
    await ada.api(`/me/events/${id}/attachments/${added.id}`).delete();
    expect(await attachedTo(lin, await eventOf(lin))).toEqual([]);
  });

  it('leaves out the notes that an invitee has attached, when the invitee forwards the meeting', async () => {
    await ada
      .api('/me/events')
      .post({ ...MEETING, attendees: [person(LIN)], attachments: [file('agenda.txt', 'First')] });
    const { id } = await eventOf(lin);
    await lin.api(`/me/events/${id}/attachments`).post(file('notes.txt', 'Mine'));
    await lin.api(`/me/events/${id}/forward`).post({ toRecipients: [person('delegated-admin@vendor.example')] });
    const sent = (await lin.api('/me/mailFolders/sentitems/messages').expand('attachments').get()).value;
    expect(sent.map(({ attachments }: Shown) => attachments.map(({ name }: Shown) => name))).toEqual([['agenda.txt']]);
    const dee = await graphClient(bench, { user: 'delegated-admin', version: 'beta' });
    expect(await attachedTo(dee, await eventOf(dee))).toEqual([{ name: 'agenda.txt', content: 'First' }]);
  });
});
