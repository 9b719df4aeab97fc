import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Bench, onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const at = (dateTime: string, timeZone = 'UTC') => ({ dateTime, timeZone });
const person = (address: string, type = 'required') => ({ type, emailAddress: { address } });
const LIN = 'licensed@vendor.example';
const DEE = 'delegated-admin@vendor.example';
const MEETING = {
  subject: 'Planning',
  start: at('2026-05-04T09:00:00'),
  end: at('2026-05-04T10:00:00'),
  location: { displayName: 'Room 1' },
  attendees: [person(LIN)],
};
const WEEKLY = {
  ...MEETING,
  recurrence: {
    pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'] },
    range: { type: 'numbered', startDate: '2026-05-04', numberOfOccurrences: 5 },
  },
};

interface Person {
  readonly client: Client;
  /** Subjects of the inbox, oldest first. */
  inbox(): Promise<readonly string[]>;
  /** The only event of the calendar. */
  event(): Promise<{ id: string; [name: string]: unknown }>;
  events(): Promise<readonly { id: string; [name: string]: unknown }[]>;
}

async function personOf(bench: Bench, user: string): Promise<Person> {
  const client = await graphClient(bench, { user, version: 'beta' });
  const events = async () => (await client.api('/me/events').get()).value;
  return {
    client,
    events,
    async inbox() {
      await bench.jar.settled();
      const page = await client.api('/me/mailFolders/inbox/messages').orderby('receivedDateTime').top(100).get();
      return page.value.map(({ subject }: { subject: string }) => subject);
    },
    async event() {
      await bench.jar.settled();
      const all = await events();
      expect(all).toHaveLength(1);
      return all[0];
    },
  };
}

onBothStores('a meeting of two people', (bench) => {
  let ada: Person;
  let lin: Person;

  beforeEach(async () => {
    await bench.jar.reset();
    ada = await personOf(bench, 'admin');
    lin = await personOf(bench, 'licensed');
  });

  it('is proposed, accepted, moved, answered again and cancelled, and both calendars know', async () => {
    const made = await ada.client.api('/me/events').post(MEETING);
    expect(await lin.inbox()).toEqual(['Planning']);
    const invited = await lin.event();
    expect(invited).toMatchObject({
      showAs: 'tentative',
      isOrganizer: false,
      responseStatus: { response: 'notResponded' },
      organizer: { emailAddress: { address: 'admin@vendor.example' } },
      uid: made.uid,
    });
    expect(made.attendees).toMatchObject([{ status: { response: 'none', time: '0001-01-01T00:00:00Z' } }]);

    await lin.client.api(`/me/events/${invited.id}/accept`).post({ comment: 'Gladly', sendResponse: 'true' });
    expect(await ada.inbox()).toEqual(['Accepted: Planning']);
    expect(await lin.event()).toMatchObject({
      id: invited.id,
      showAs: 'busy',
      responseStatus: { response: 'accepted' },
    });
    // The invitation has left the inbox.
    expect(await lin.inbox()).toEqual([]);
    expect((await ada.event()).attendees).toMatchObject([{ status: { response: 'accepted' } }]);

    await ada.client
      .api(`/me/events/${made.id}`)
      .patch({ start: at('2026-05-05T09:00:00'), end: at('2026-05-05T10:00:00') });
    expect((await ada.event()).attendees).toMatchObject([{ status: { response: 'none' } }]);
    expect(await lin.event()).toMatchObject({ start: { dateTime: '2026-05-05T09:00:00.0000000' } });
    const request = (await lin.client.api('/me/mailFolders/inbox/messages').get()).value[0];
    expect(request).toMatchObject({ meetingRequestType: 'fullUpdate' });
    const through = await lin.client.api(`/me/messages/${request.id}/event`).get();
    expect(through.id).toBe(invited.id);
    const proposedNewTime = { start: at('2026-05-06T09:00:00'), end: at('2026-05-06T10:00:00') };
    await lin.client.api(`/me/messages/${request.id}/event/tentativelyAccept`).post({ proposedNewTime });
    expect(await ada.inbox()).toContain('New Time Proposed: Planning');
    expect((await ada.event()).attendees).toMatchObject([
      {
        status: { response: 'tentativelyAccepted' },
        proposedNewTime: { start: { dateTime: '2026-05-06T09:00:00.0000000' } },
      },
    ]);

    await ada.client.api(`/me/events/${made.id}/cancel`).post({ comment: 'Sorry' });
    expect(await ada.events()).toEqual([]);
    expect(await lin.inbox()).toEqual(['Canceled: Planning']);
    const gone = await lin.event();
    expect(gone).toMatchObject({ isCancelled: true, showAs: 'free', subject: 'Canceled: Planning' });
    await expect(lin.client.api(`/me/events/${gone.id}/accept`).post({})).rejects.toMatchObject({
      statusCode: 400,
      code: 'ErrorInvalidRequest',
    });
    await lin.client.api(`/me/events/${gone.id}`).delete();
    await expect(lin.client.api(`/me/messages/${request.id}/event`).get()).rejects.toMatchObject({ statusCode: 404 });
  });

  it('recurs: one occurrence is moved, one cancelled, one declined, and the rest accepted', async () => {
    const master = await ada.client.api('/me/events').post(WEEKLY);
    const own = await lin.event();
    expect(own).toMatchObject({ type: 'seriesMaster', uid: master.uid });
    const occurrence = (who: Person, id: string, day: string) => who.client.api(`/me/events/OID.${id}.${day}`);
    await occurrence(ada, master.id, '2026-05-11').patch({
      start: at('2026-05-12T09:00:00'),
      end: at('2026-05-12T10:00:00'),
    });
    await occurrence(ada, master.id, '2026-05-18').delete();
    await bench.jar.settled();
    expect(await occurrence(lin, own.id, '2026-05-11').get()).toMatchObject({
      type: 'exception',
      start: { dateTime: '2026-05-12T09:00:00.0000000' },
    });
    expect(await occurrence(lin, own.id, '2026-05-18').get()).toMatchObject({ isCancelled: true });
    // The answer to the series is not out of date, although one of its occurrences was cancelled meanwhile.
    await lin.client.api(`/me/events/${own.id}/accept`).post({});
    await bench.jar.settled();
    expect((await ada.event()).attendees).toMatchObject([{ status: { response: 'accepted' } }]);
    await lin.client.api(`/me/events/OID.${own.id}.2026-05-25/decline`).post({ comment: 'Away' });
    await bench.jar.settled();
    expect(await occurrence(ada, master.id, '2026-05-25').get()).toMatchObject({
      attendees: [{ status: { response: 'declined' } }],
    });
    const window = { startDateTime: '2026-05-01T00:00:00Z', endDateTime: '2026-07-01T00:00:00Z' };
    const view = (await lin.client.api('/me/calendarView').query(window).get()).value;
    expect(
      view.map(({ start, isCancelled }: { start: { dateTime: string }; isCancelled: boolean }) => [
        start.dateTime.slice(5, 10),
        isCancelled,
      ]),
    ).toEqual([
      ['05-04', false],
      ['05-12', false],
      ['05-18', true],
      ['06-01', false],
    ]);
    await ada.client.api(`/me/events/${master.id}`).delete();
    await bench.jar.settled();
    expect(await lin.event()).toMatchObject({ isCancelled: true });
  });
});

onAnyStore('mail about meetings', (bench) => {
  let ada: Person;
  let lin: Person;
  let dee: Person;

  beforeEach(async () => {
    await bench.jar.reset();
    ada = await personOf(bench, 'admin');
    lin = await personOf(bench, 'licensed');
    dee = await personOf(bench, 'delegated-admin');
  });

  /** The mail that each attendee gets after both were invited. */
  const told = async (act: (id: string) => Promise<unknown>) => {
    const { id } = await ada.client
      .api('/me/events')
      .post({ ...MEETING, attendees: [person(LIN), person(DEE, 'optional')] });
    const before = [await lin.inbox(), await dee.inbox()].map(({ length }) => length);
    // The inbox is ordered by time.
    await bench.jar.clock.advance('1m');
    await act(id);
    return [(await lin.inbox()).slice(before[0]), (await dee.inbox()).slice(before[1])];
  };
  const patching = (body: object) => (id: string) => ada.client.api(`/me/events/${id}`).patch(body);

  it.each<[string, object, string[], string[]]>([
    ['the subject', { subject: 'Other' }, ['Other'], ['Other']],
    ['the location', { location: { displayName: 'Room 2' } }, ['Planning'], ['Planning']],
    ['the importance', { importance: 'high' }, ['Planning'], ['Planning']],
    ['the end', { end: at('2026-05-04T11:00:00') }, ['Planning'], ['Planning']],
    [
      'private fields alone',
      { categories: ['Red'], reminderMinutesBeforeStart: 5, showAs: 'oof', isReminderOn: false },
      [],
      [],
    ],
    ['nothing', { subject: 'Planning', start: MEETING.start }, [], []],
    ['somebody removed', { attendees: [person(LIN)] }, [], ['Canceled: Planning']],
    [
      'somebody removed and the subject',
      { attendees: [person(LIN)], subject: 'Other' },
      ['Other'],
      ['Canceled: Planning'],
    ],
    ['the type of an attendee', { attendees: [person(LIN), person(DEE)] }, [], []],
  ])('a change of %s', async (_, body, first, second) => {
    expect(await told(patching(body))).toEqual([first, second]);
  });

  it('only an added attendee is invited, and an attendee who is added again has the event again', async () => {
    const { id } = await ada.client.api('/me/events').post(MEETING);
    await ada.client.api(`/me/events/${id}`).patch({ attendees: [person(LIN), person(DEE)] });
    expect([await lin.inbox(), await dee.inbox()]).toEqual([['Planning'], ['Planning']]);
    await ada.client.api(`/me/events/${id}`).patch({ attendees: [person(DEE)] });
    expect(await lin.event()).toMatchObject({ isCancelled: true });
    await ada.client.api(`/me/events/${id}`).patch({ attendees: [person(LIN), person(DEE)] });
    expect(await lin.event()).toMatchObject({ isCancelled: false });
    // The answer of an attendee who stayed is accepted, although other attendees were added and removed.
    await dee.client.api(`/me/events/${(await dee.event()).id}/accept`).post({});
    await bench.jar.settled();
    expect((await ada.event()).attendees).toMatchObject([
      { status: { response: 'none' } },
      { status: { response: 'accepted' } },
    ]);
  });

  it.each<[string, (id: string) => Promise<unknown>, string]>([
    ['deleted', (id) => ada.client.api(`/me/events/${id}`).delete(), 'Canceled: Planning'],
    ['deleted for good', (id) => ada.client.api(`/me/events/${id}/permanentDelete`).post({}), 'Canceled: Planning'],
    ['cancelled', (id) => ada.client.api(`/me/events/${id}/cancel`).post({ comment: 'x' }), 'Canceled: Planning'],
  ])('a meeting that is %s by its organizer is cancelled for all', async (_, act, subject) => {
    expect(await told(act)).toEqual([[subject], [subject]]);
    expect(await ada.events()).toEqual([]);
  });

  it('updates that follow each other within a second arrive all', async () => {
    const { id } = await ada.client.api('/me/events').post(WEEKLY);
    const day = `/me/events/OID.${id}.2026-05-11`;
    for (const subject of ['First', 'Second', 'Third']) {
      await ada.client.api(`/me/events/${id}`).patch({ subject });
      await ada.client.api(day).patch({ body: { contentType: 'text', content: subject } });
      await ada.client.api(`/me/events/${id}`).patch({ importance: subject === 'Second' ? 'high' : 'low' });
      await bench.jar.settled();
      const own = await lin.event();
      expect(own.subject).toBe(subject);
      expect(await lin.client.api(`/me/events/OID.${own.id}.2026-05-11`).get()).toMatchObject({
        subject,
        bodyPreview: subject,
      });
    }
  });

  it('changes and deletions by an invitee do not affect other attendees', async () => {
    await ada.client.api('/me/events').post(MEETING);
    const { id } = await lin.event();
    await lin.client.api(`/me/events/${id}`).patch({ subject: 'My name for it', showAs: 'free' });
    expect(await lin.event()).toMatchObject({ subject: 'My name for it' });
    await expect(lin.client.api(`/me/events/${id}/cancel`).post({})).rejects.toMatchObject({
      statusCode: 400,
      code: 'ErrorInvalidRequest',
    });
    await lin.client.api(`/me/events/${id}`).delete();
    expect(await lin.events()).toEqual([]);
    expect(await ada.inbox()).toEqual([]);
    expect(await ada.event()).toMatchObject({ subject: 'Planning' });
  });

  it.each(['\r\n', '\u0085', '\u2028', '\u2029'])('line breaks in a subject become blanks: %j', async (end) => {
    await ada.client.api('/me/events').post({ ...MEETING, subject: `Planning${end}X-Evil: 1` });
    expect(await lin.inbox()).toEqual(['Planning X-Evil: 1']);
  });

  it('an appointment without attendees is cancelled silently', async () => {
    const { id } = await ada.client.api('/me/events').post({ ...MEETING, attendees: [person('admin@vendor.example')] });
    expect((await ada.event()).attendees).toEqual([]);
    await ada.client.api(`/me/events/${id}/cancel`).post({ comment: 'x' });
    expect(await ada.events()).toEqual([]);
    expect((await ada.client.api('/me/mailFolders/sentitems/messages').get()).value).toEqual([]);
  });

  it.each(['a b@c.example', '<a@b.example>', 'a@b.example,c@d.example', 'nobody'])(
    'somebody whom no mail can reach is neither invited nor sent a meeting: %s',
    async (address) => {
      const wrong = { code: 'ErrorInvalidRecipients' };
      const invited = { ...MEETING, attendees: [person(address)] };
      await expect(ada.client.api('/me/events').post(invited)).rejects.toMatchObject(wrong);
      const { id } = await ada.client.api('/me/events').post(MEETING);
      const body = { toRecipients: [{ emailAddress: { address } }] };
      await expect(ada.client.api(`/me/events/${id}/forward`).post(body)).rejects.toMatchObject(wrong);
      expect(await ada.events()).toHaveLength(1);
    },
  );

  it("a forwarded meeting invites further people, who become attendees of the organizer's event", async () => {
    const { id } = await ada.client.api('/me/events').post(MEETING);
    await ada.client
      .api(`/me/events/${id}/forward`)
      .post({ comment: 'You too', toRecipients: [{ emailAddress: { address: DEE } }] });
    expect(await dee.inbox()).toEqual(['FW: Planning']);
    expect((await ada.event()).attendees).toMatchObject([
      { emailAddress: { address: LIN } },
      { emailAddress: { address: DEE } },
    ]);
    expect(await lin.inbox()).toEqual(['Planning']);
    await expect(ada.client.api(`/me/events/${id}/forward`).post({ comment: 'x' })).rejects.toMatchObject({
      code: 'ErrorInvalidRecipients',
    });
  });

  it('the organizer is notified when an invitee forwards a meeting, and has the new attendees', async () => {
    await ada.client.api('/me/events').post(MEETING);
    const { id } = await lin.event();
    const toRecipients = [{ emailAddress: { name: 'Dee', address: DEE } }];
    await lin.client.api(`/me/events/${id}/forward`).post({ toRecipients });
    expect(await dee.inbox()).toEqual(['FW: Planning']);
    expect(await ada.inbox()).toEqual(['Meeting Forward Notification: Planning']);
    expect((await ada.event()).attendees).toMatchObject([
      { emailAddress: { address: LIN } },
      { emailAddress: { address: DEE } },
    ]);
    const forwarded = await dee.event();
    expect(forwarded).toMatchObject({
      isOrganizer: false,
      organizer: { emailAddress: { address: 'admin@vendor.example' } },
    });
    await dee.client.api(`/me/events/${forwarded.id}/accept`).post({});
    await bench.jar.settled();
    expect((await ada.event()).attendees).toMatchObject([
      { status: { response: 'none' } },
      { status: { response: 'accepted' } },
    ]);
  });

  describe('answers', () => {
    const proposedNewTime = { start: at('2026-05-06T09:00:00'), end: at('2026-05-06T10:00:00') };

    it.each<[string, object, string, object]>([
      ['a proposal where none is allowed', { allowNewTimeProposals: false }, 'tentativelyAccept', { proposedNewTime }],
      ['a proposal without a response', {}, 'decline', { proposedNewTime, sendResponse: false }],
      ['a comment without a response', {}, 'accept', { comment: 'x', sendResponse: false }],
      ['an empty comment without a response', {}, 'accept', { comment: '', sendResponse: false }],
      ['a response that was not asked for', { responseRequested: false }, 'accept', { sendResponse: true }],
      ['a proposal with an acceptance', {}, 'accept', { proposedNewTime }],
      [
        'a proposal that ends before it starts',
        {},
        'decline',
        { proposedNewTime: { start: proposedNewTime.end, end: proposedNewTime.start } },
      ],
    ])('%s is refused', async (_, more, action, body) => {
      await ada.client.api('/me/events').post({ ...MEETING, ...more });
      const { id, responseStatus } = await lin.event();
      await expect(lin.client.api(`/me/events/${id}/${action}`).post(body)).rejects.toMatchObject({ statusCode: 400 });
      expect((await lin.event()).responseStatus).toEqual(responseStatus);
      expect(await ada.inbox()).toEqual([]);
    });

    it('the organizer cannot answer, and has an id that is of no use to others', async () => {
      const { id } = await ada.client.api('/me/events').post(MEETING);
      await expect(ada.client.api(`/me/events/${id}/accept`).post({})).rejects.toMatchObject({
        code: 'ErrorInvalidRequest',
      });
      await expect(lin.client.api(`/me/events/${id}/accept`).post({})).rejects.toMatchObject({
        code: 'ErrorItemNotFound',
        statusCode: 404,
      });
    });

    it.each<[string, object, object, string[]]>([
      ['is mailed', {}, {}, ['Accepted: Planning']],
      ['is kept where the client wants no response', {}, { sendResponse: false }, []],
      ['is kept where the organizer wants none', { responseRequested: false }, {}, []],
    ])('an answer %s', async (_, more, body, inbox) => {
      await ada.client.api('/me/events').post({ ...MEETING, showAs: 'oof', ...more });
      const { id } = await lin.event();
      await lin.client.api(`/me/events/${id}/accept`).post(body);
      expect(await ada.inbox()).toEqual(inbox);
      expect(await lin.event()).toMatchObject({ showAs: 'oof', responseStatus: { response: 'accepted' } });
    });

    it('a declined meeting leaves the calendar', async () => {
      await ada.client.api('/me/events').post(MEETING);
      const { id } = await lin.event();
      await lin.client.api(`/me/events/${id}/decline`).post({ comment: 'No' });
      expect(await ada.inbox()).toEqual(['Declined: Planning']);
      expect(await lin.events()).toEqual([]);
      await expect(lin.client.api(`/me/events/${id}`).get()).rejects.toMatchObject({ statusCode: 404 });
      expect((await ada.event()).attendees).toMatchObject([{ status: { response: 'declined' } }]);
    });

    it('answering a series leaves the answers to its occurrences', async () => {
      await ada.client.api('/me/events').post(WEEKLY);
      const { id } = await lin.event();
      await lin.client.api(`/me/events/OID.${id}.2026-05-11/tentativelyAccept`).post({});
      await lin.client.api(`/me/events/${id}/accept`).post({});
      const shown = async (day: string) => lin.client.api(`/me/events/OID.${id}.${day}`).get();
      expect(await shown('2026-05-11')).toMatchObject({
        type: 'exception',
        showAs: 'tentative',
        responseStatus: { response: 'tentativelyAccepted' },
      });
      expect(await shown('2026-05-18')).toMatchObject({
        type: 'occurrence',
        showAs: 'busy',
        responseStatus: { response: 'accepted' },
      });
    });
  });
});
