import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Bench, onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';
import { ADA, CAROL, CLOCK_START, type MeetingMail, mail, Post, type Properties, type Shown } from './arrivals.ts';

/** Ada is the principal, Lou her delegate. */
const LOU = 'licensed@vendor.example';

const EVENT: Properties = {
  UID: 'review@fabrikam.example',
  DTSTART: '20260203T090000Z',
  DTEND: '20260203T100000Z',
  SUMMARY: 'Review',
  ORGANIZER: `;CN=Carol:mailto:${CAROL}`,
  ATTENDEE: [`;RSVP=TRUE:mailto:${ADA}`],
};
const request = (sequence: number, changes: Properties = {}): MeetingMail =>
  mail('REQUEST', { ...EVENT, SEQUENCE: String(sequence), DTSTAMP: `2026010${5 + sequence}T080000Z`, ...changes });
const cancel = (sequence: number): MeetingMail =>
  mail('CANCEL', {
    ...EVENT,
    SEQUENCE: String(sequence),
    DTSTAMP: `2026010${5 + sequence}T080000Z`,
    STATUS: 'CANCELLED',
  });

interface People {
  readonly ada: Client;
  readonly lou: Client;
  /** Sends mail to Ada, each a second after the one before. */
  readonly post: { send(given: MeetingMail): Promise<void> };
}

const sender = (bench: Bench, client: Client, address: string) => {
  const post = new Post(bench, client, address);
  return {
    async send(given: MeetingMail): Promise<void> {
      await post.send(given);
      await bench.jar.clock.advance('1s');
    },
  };
};

const WITHOUT_PRIVATE = 'delegateWithoutPrivateEventAccess';
const WITH_PRIVATE = 'delegateWithPrivateEventAccess';

const delegate = (ada: Client, role: string) =>
  ada.api('/me/calendar/calendarPermissions').post({ emailAddress: { name: 'Lou', address: LOU }, role });

const deliver = (ada: Client, delegateMeetingMessageDeliveryOptions: string) =>
  ada.api('/me/mailboxSettings').patch({ delegateMeetingMessageDeliveryOptions });

const messagesOf = async (client: Client, folder = 'inbox'): Promise<readonly Shown[]> =>
  (
    await client
      .api(`/me/mailFolders/${folder}/messages`)
      .expand('microsoft.graph.eventMessage/event')
      .orderby('receivedDateTime')
      .get()
  ).value;

const eventsOf = async (client: Client): Promise<readonly Shown[]> => (await client.api('/me/events').get()).value;

const REQUESTED = { meetingMessageType: 'meetingRequest', meetingRequestType: 'newMeetingRequest' };

onBothStores(
  'a meeting that a delegate handles',
  (bench) => {
    let people: People;
    beforeEach(async () => {
      await bench.jar.reset();
      const ada = await graphClient(bench, { version: 'beta' });
      const lou = await graphClient(bench, { user: 'licensed', version: 'beta' });
      people = { ada, lou, post: sender(bench, ada, ADA) };
      await delegate(ada, WITHOUT_PRIVATE);
    });

    it("is in the principal's calendar, and its invitation only in the inbox of the delegate, who accepts it", async () => {
      const { ada, lou, post } = people;
      await post.send(request(0));
      expect(await messagesOf(ada)).toEqual([]);
      const [event] = await eventsOf(ada);
      expect(event).toMatchObject({ subject: 'Review', responseStatus: { response: 'notResponded' } });
      const [invitation] = await messagesOf(lou);
      expect(invitation).toMatchObject({
        ...REQUESTED,
        isDelegated: true,
        from: { emailAddress: { address: CAROL } },
        toRecipients: [{ emailAddress: { address: LOU } }],
        event: { id: event.id, subject: 'Review' },
      });
      expect(await eventsOf(lou)).toEqual([]);
      await lou.api(`/me/messages/${invitation.id}/event/accept`).post({ comment: 'Ada comes' });
      expect(await eventsOf(ada)).toMatchObject([{ responseStatus: { response: 'accepted' }, showAs: 'busy' }]);
      expect(await messagesOf(lou)).toEqual([]);
      expect(await messagesOf(lou, 'deleteditems')).toMatchObject([{ subject: 'Review' }]);
      const [answer] = await messagesOf(ada, 'sentitems');
      expect(answer).toMatchObject({
        subject: 'Accepted: Review',
        from: { emailAddress: { address: ADA } },
        sender: { emailAddress: { address: LOU } },
      });
      const source = await ada
        .api(`/me/messages/${answer.id}/$value`)
        .responseType('text' as never)
        .get();
      const calendar = Buffer.from(
        /text\/calendar[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(source)?.[1] ?? '',
        'base64',
      );
      expect(calendar.toString().replace(/\r\n /g, '')).toMatch(
        /ATTENDEE;[^\r]*PARTSTAT=ACCEPTED;[^\r]*SENT-BY="mailto:licensed@vendor\.example"[^\r]*:mailto:admin@vendor\.example/,
      );
      expect(source).toMatch(/^Sender: .*<licensed@vendor\.example>\r$/m);
    });

    it('is sent in the name of the principal by the delegate, who gets the answers', async () => {
      const { ada, lou } = people;
      const other = await graphClient(bench, { user: 'other', version: 'beta' });
      const time = (hour: string) => ({ dateTime: `2026-02-03T${hour}:00:00`, timeZone: 'UTC' });
      const made = await lou.api(`/users/${ADA}/calendar/events`).post({
        subject: 'Planning',
        start: time('09'),
        end: time('10'),
        attendees: [{ emailAddress: { address: 'other@other.example' } }],
      });
      expect(made).toMatchObject({ isOrganizer: true, organizer: { emailAddress: { address: ADA } } });
      await bench.jar.clock.advance('1s');
      const [invitation] = await messagesOf(other);
      expect(invitation).toMatchObject({
        ...REQUESTED,
        isDelegated: false,
        from: { emailAddress: { address: ADA } },
        sender: { emailAddress: { address: LOU } },
        event: { organizer: { emailAddress: { address: ADA } } },
      });
      expect(JSON.stringify(invitation.event)).not.toContain(LOU);
      await other.api(`/me/events/${invitation.event.id}/tentativelyAccept`).post({ comment: 'Perhaps' });
      await bench.jar.clock.advance('1s');
      expect(await messagesOf(ada)).toEqual([]);
      expect(await messagesOf(lou)).toMatchObject([
        {
          meetingMessageType: 'meetingTentativelyAccepted',
          isDelegated: true,
          from: { emailAddress: { address: 'other@other.example' } },
          toRecipients: [{ emailAddress: { address: LOU } }],
          event: { subject: 'Planning' },
        },
      ]);
      expect(await eventsOf(ada)).toMatchObject([{ attendees: [{ status: { response: 'tentativelyAccepted' } }] }]);
      await lou.api(`/users/${ADA}/events/${made.id}/cancel`).post({ comment: 'Not now' });
      await bench.jar.clock.advance('1s');
      expect(await messagesOf(other)).toMatchObject([
        { meetingMessageType: 'meetingCancelled', sender: { emailAddress: { address: LOU } } },
      ]);
      expect(await eventsOf(other)).toMatchObject([{ isCancelled: true }]);
    });
  },
  { clockStart: CLOCK_START },
);

onAnyStore(
  'messages about meetings of somebody with a delegate',
  (bench) => {
    let people: People;
    beforeEach(async () => {
      await bench.jar.reset();
      const ada = await graphClient(bench, { version: 'beta' });
      const lou = await graphClient(bench, { user: 'licensed', version: 'beta' });
      people = { ada, lou, post: sender(bench, ada, ADA) };
    });

    it.each([
      ['sendToDelegateOnly', [], [{ ...REQUESTED, isDelegated: true }]],
      ['sendToDelegateAndPrincipal', [{ ...REQUESTED, isDelegated: false }], [{ ...REQUESTED, isDelegated: true }]],
      [
        'sendToDelegateAndInformationToPrincipal',
        [{ meetingMessageType: 'meetingRequest', meetingRequestType: 'principalWantsCopy', isDelegated: true }],
        [{ ...REQUESTED, isDelegated: true }],
      ],
    ])('go as %s says', async (option, principals, delegates) => {
      const { ada, lou, post } = people;
      await delegate(ada, WITHOUT_PRIVATE);
      await deliver(ada, option);
      await post.send(request(0));
      const [hers, his] = [await messagesOf(ada), await messagesOf(lou)];
      expect(hers).toHaveLength(principals.length);
      expect(hers).toMatchObject(principals);
      expect(his).toMatchObject(delegates);
      expect(await eventsOf(ada)).toMatchObject([{ subject: 'Review' }]);
    });

    it('go to the principal before there is a delegate, and after the delegate is removed', async () => {
      const { ada, lou, post } = people;
      await post.send(request(0));
      expect(await messagesOf(ada)).toMatchObject([{ ...REQUESTED, isDelegated: false }]);
      const { id } = await delegate(ada, WITHOUT_PRIVATE);
      await post.send(request(1));
      await ada.api(`/me/calendar/calendarPermissions/${id}`).delete();
      await post.send(request(2));
      expect(await messagesOf(ada)).toMatchObject([{ isOutOfDate: true }, { isOutOfDate: false }]);
      const [his] = await messagesOf(lou);
      expect(his).toMatchObject({ isDelegated: true, event: null });
      await expect(lou.api(`/me/messages/${his.id}/event/accept`).post({})).rejects.toMatchObject({
        statusCode: 403,
        code: 'ErrorAccessDenied',
      });
    });

    it('about private meetings go to delegates who may see them, otherwise to the principal', async () => {
      const { ada, lou, post } = people;
      await delegate(ada, WITHOUT_PRIVATE);
      await post.send(request(0, { CLASS: 'PRIVATE' }));
      expect(await messagesOf(ada)).toMatchObject([REQUESTED]);
      expect(await messagesOf(lou)).toEqual([]);
      await delegate(ada, WITH_PRIVATE);
      await post.send(cancel(1));
      expect(await messagesOf(ada)).toHaveLength(1);
      expect(await messagesOf(lou)).toMatchObject([{ meetingMessageType: 'meetingCancelled', isDelegated: true }]);
    });

    it("become out of date in the delegate's mailbox too", async () => {
      const { ada, lou, post } = people;
      await delegate(ada, WITHOUT_PRIVATE);
      await deliver(ada, 'sendToDelegateAndInformationToPrincipal');
      await post.send(request(0));
      await post.send(request(1, { LOCATION: 'Room 2' }));
      const outdated = { meetingRequestType: 'outdated', isOutOfDate: true };
      expect(await messagesOf(ada)).toMatchObject([outdated, { meetingRequestType: 'principalWantsCopy' }]);
      expect(await messagesOf(lou)).toMatchObject([
        outdated,
        { meetingRequestType: 'informationalUpdate', previousLocation: { displayName: '' } },
      ]);
      await post.send(cancel(2));
      expect(await messagesOf(lou)).toMatchObject([outdated, outdated, { meetingMessageType: 'meetingCancelled' }]);
    });

    it('are kept beside the delegate’s own invitation to the same meeting', async () => {
      const { ada, lou, post } = people;
      await delegate(ada, WITHOUT_PRIVATE);
      const both = { ATTENDEE: [`;RSVP=TRUE:mailto:${ADA}`, `;RSVP=TRUE:mailto:${LOU}`] };
      await sender(bench, lou, LOU).send(request(0, both));
      await post.send(request(0, both));
      const [own, delegated] = await messagesOf(lou);
      expect([own, delegated]).toMatchObject([{ isDelegated: false }, { isDelegated: true }]);
      await lou.api(`/me/messages/${own.id}/event/accept`).post({});
      expect(await messagesOf(lou)).toMatchObject([{ isDelegated: true }]);
      expect(await eventsOf(ada)).toMatchObject([{ responseStatus: { response: 'notResponded' } }]);
      await lou.api(`/me/messages/${delegated.id}/event/decline`).post({});
      expect(await messagesOf(lou)).toEqual([]);
      expect(await eventsOf(ada)).toEqual([]);
      expect(await eventsOf(lou)).toMatchObject([{ responseStatus: { response: 'accepted' } }]);
    });

    it('leave automatic replies to the principal', async () => {
      const { ada, lou, post } = people;
      await delegate(ada, WITHOUT_PRIVATE);
      for (const [client, text] of [
        [ada, 'Ada is away'],
        [lou, 'Lou is away'],
      ] as const)
        await client.api('/me/mailboxSettings').patch({
          automaticRepliesSetting: { status: 'alwaysEnabled', externalReplyMessage: text, externalAudience: 'all' },
        });
      await post.send(request(0));
      const { body } = await bench.call('GET', '/_jar/mail/kept', { token: bench.jar.adminKey });
      expect((body as Shown).value).toMatchObject([{ from: '', to: CAROL, subject: 'Automatic reply: Review' }]);
    });

    it('other mail stays with its recipient', async () => {
      const { ada, lou, post } = people;
      await delegate(ada, WITHOUT_PRIVATE);
      await post.send(mail('PUBLISH', EVENT));
      expect(await messagesOf(ada)).toMatchObject([{ subject: 'Review' }]);
      expect(await messagesOf(lou)).toEqual([]);
    });

    describe('and a colleague who may write, and is no delegate', () => {
      it('gets none of them, but still sends in the name of the owner', async () => {
        const { ada, lou, post } = people;
        await delegate(ada, 'write');
        await post.send(request(0));
        expect(await messagesOf(ada)).toMatchObject([REQUESTED]);
        expect(await messagesOf(lou)).toEqual([]);
        const [event] = await eventsOf(ada);
        await lou.api(`/users/${ADA}/events/${event.id}/decline`).post({});
        expect(await messagesOf(ada, 'sentitems')).toMatchObject([
          {
            subject: 'Declined: Review',
            from: { emailAddress: { address: ADA } },
            sender: { emailAddress: { address: LOU } },
          },
        ]);
      });
    });
  },
  { clockStart: CLOCK_START },
);
