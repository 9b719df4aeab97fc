import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { beforeEach, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { needSwaks, swaks } from '../../../support/swaks.ts';
import { exchangeCounter, exchangeReply, googleCounter, minimalReply } from '../fixtures/answers.ts';
import { exchangeMail, invitationMail, minimalMail, type Sender, senderNames } from '../fixtures/mails.ts';
import { ANN, CARLA, type Guest, type Meeting, meeting, ROOM } from '../fixtures/meeting.ts';
import { ADA, CLOCK_START, type Post, postOf, startsOf } from './arrivals.ts';

/** Invitations in the formats of well-known calendars, sent by real SMTP clients and read through the API. */

const GUEST: Guest = { name: 'Ada Admin', address: ADA };
const invitation = (changes: Partial<Meeting> = {}): Meeting =>
  meeting({ attendees: [GUEST, CARLA, ROOM], ...changes });
const utc = (dateTime: string) => ({ dateTime: `${dateTime}:00.0000000`, timeZone: 'UTC' });

/** Differences between senders, since not every sender writes all properties. */
const SAID: Readonly<Partial<Record<Sender, { message?: object; event?: object }>>> = {
  'Outlook for Windows': {
    message: { allowNewTimeProposals: false },
    event: { importance: 'high', body: { contentType: 'html', content: expect.stringContaining('<b>HTML</b>') } },
  },
  Google: { event: { isOnlineMeeting: true, onlineMeeting: { joinUrl: 'https://meet.example/abc-defg-hij' } } },
  'RFC 6047': {
    message: { location: { displayName: '' } },
    event: { organizer: { emailAddress: { name: ANN.address } } },
  },
};
const HAS_PLACE = { location: { displayName: 'Room 5, Straße 1' } };

onAnyStore(
  'the invitations of well-known calendars',
  (bench) => {
    let post: Post;
    beforeEach(async () => {
      await bench.jar.reset();
      post = await postOf(bench);
    });

    const byNodemailer = async (raw: Buffer): Promise<void> => {
      const transport = createTransport({ host: '127.0.0.1', port: bench.jar.smtpPort, tls: { ca: bench.jar.ca } });
      onTestFinished(() => transport.close());
      await transport.sendMail({ envelope: { from: ANN.address, to: ADA }, raw });
    };

    const bySwaks = async (context: Pick<TestContext, 'skip'>, raw: Buffer): Promise<void> => {
      await needSwaks(context);
      const folder = await mkdtemp(join(tmpdir(), 'cloudjar-swaks-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      // Swaks reads LF line breaks, as in an mbox file, and sends CRLF.
      await writeFile(join(folder, 'mail'), raw.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
      const server = ['--server', '127.0.0.1', '--port', String(bench.jar.smtpPort)];
      const envelope = ['--from', ANN.address, '--to', ADA, '--data', `@${join(folder, 'mail')}`];
      const { status, output } = await swaks([...server, ...envelope]);
      expect(output).toContain('250 2.0.0');
      expect(status).toBe(0);
    };

    /** Both clients can send the mail of every calendar; each mail is sent by one of them. */
    const send = (context: Pick<TestContext, 'skip'>, sender: Sender, raw: Buffer): Promise<void> =>
      senderNames.indexOf(sender) % 2 === 0 ? bySwaks(context, raw) : byNodemailer(raw);

    const inbox = async () => (await post.client.api('/me/mailFolders/inbox/messages').get()).value;

    it.for(senderNames)('%s: an invitation is a request with its event', async (sender, context) => {
      await send(context, sender, invitationMail(sender, invitation()));
      const [message] = await inbox();
      const said = SAID[sender];
      expect(message).toMatchObject({
        '@odata.type': '#microsoft.graph.eventMessageRequest',
        subject: 'Budget review, first round; bring numbers',
        from: { emailAddress: ANN },
        meetingRequestType: 'newMeetingRequest',
        responseRequested: true,
        allowNewTimeProposals: true,
        isAllDay: false,
        startDateTime: utc('2026-01-05T08:00'),
        endDateTime: utc('2026-01-05T09:30'),
        ...HAS_PLACE,
        ...said?.message,
      });
      expect(await post.client.api(`/me/messages/${message.id}/event`).get()).toMatchObject({
        subject: 'Budget review, first round; bring numbers',
        start: utc('2026-01-05T08:00'),
        end: utc('2026-01-05T09:30'),
        organizer: { emailAddress: ANN },
        showAs: 'tentative',
        ...said?.event,
      });
    });

    it.each(senderNames)('%s: an update and a cancellation', async (sender) => {
      await byNodemailer(invitationMail(sender, invitation()));
      const changed = { sequence: 1, stamp: '20251221T080000Z', start: '20260106T090000', end: '20260106T103000' };
      await byNodemailer(invitationMail(sender, invitation(changed)));
      expect(await post.events()).toMatchObject([{ start: utc('2026-01-06T08:00'), end: utc('2026-01-06T09:30') }]);
      const messages = await inbox();
      const types = messages.map(({ meetingRequestType }: { meetingRequestType: string }) => meetingRequestType);
      expect(types.toSorted()).toEqual(['fullUpdate', 'outdated']);
      const cancelled = { ...changed, sequence: 2, stamp: '20251222T080000Z', method: 'CANCEL' as const };
      await byNodemailer(invitationMail(sender, invitation(cancelled)));
      expect(await post.events()).toMatchObject([{ isCancelled: true, showAs: 'free' }]);
    });

    // Outlook excludes occurrences by sending an exception for each, and has no EXDATE.
    it.each(senderNames.filter((name) => name !== 'Outlook for Windows'))(
      '%s: a series with an exception and a day that is left out',
      async (sender) => {
        const series = invitation({
          rule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=4',
          exDates: ['20260112T090000'],
          overrides: [{ recurrenceId: '20260119T090000', start: '20260119T140000', end: '20260119T153000' }],
        });
        await byNodemailer(invitationMail(sender, series));
        expect(await inbox()).toMatchObject([{ type: 'seriesMaster', recurrence: { pattern: { type: 'weekly' } } }]);
        expect(startsOf(await post.view('2026-01-01', '2026-03-01'))).toEqual([
          '2026-01-05T08:00',
          '2026-01-19T13:00',
          '2026-01-26T08:00',
        ]);
      },
    );

    it.each(senderNames)('%s: an all-day invitation', async (sender) => {
      await byNodemailer(invitationMail(sender, invitation({ start: '20260105', end: '20260107' })));
      expect(await post.events()).toMatchObject([
        { isAllDay: true, start: utc('2026-01-05T00:00'), end: utc('2026-01-07T00:00') },
      ]);
    });

    describe('answers', () => {
      const BOB = { name: 'Bob Stone', address: 'bob@guest.example' };
      const envelope = (method: string) => ({
        from: BOB,
        to: [GUEST],
        subject: 'Answer',
        messageId: '<answer@guest.example>',
        method,
      });
      const organized = async (): Promise<Meeting> => {
        const { uid } = await post.client.api('/me/events').post({
          subject: 'Budget',
          start: { dateTime: '2026-01-12T09:00:00', timeZone: 'Europe/Berlin' },
          end: { dateTime: '2026-01-12T10:30:00', timeZone: 'Europe/Berlin' },
          attendees: [{ type: 'required', emailAddress: BOB }],
        });
        return meeting({ uid, organizer: GUEST, attendees: [BOB], start: '20260112T090000', end: '20260112T103000' });
      };
      const attendee = async () => (await post.events())[0].attendees[0];

      it.each([
        ['Exchange', exchangeReply, exchangeMail],
        ['RFC 5546', minimalReply, minimalMail],
      ] as const)('%s: a reply', async (_, reply, mailOf) => {
        const whole = await organized();
        const answer = { by: BOB, answer: 'ACCEPTED', stamp: '20260106T080000Z', comment: 'Fine' } as const;
        await byNodemailer(mailOf(envelope('REPLY'), reply(whole, answer)));
        expect(await inbox()).toMatchObject([{ responseType: 'accepted', startDateTime: utc('2026-01-12T08:00') }]);
        expect(await attendee()).toMatchObject({ status: { response: 'accepted', time: '2026-01-06T08:00:00Z' } });
      });

      it.each([
        ['Exchange', exchangeCounter],
        ['Google', googleCounter],
      ] as const)('%s: a counter proposal', async (_, counter) => {
        const whole = await organized();
        const proposal = {
          by: BOB,
          answer: 'TENTATIVE',
          stamp: '20260106T080000Z',
          start: '20260112T140000',
          end: '20260112T153000',
        } as const;
        await byNodemailer(exchangeMail(envelope('COUNTER'), counter(whole, proposal)));
        const proposedNewTime = { start: utc('2026-01-12T13:00'), end: utc('2026-01-12T14:30') };
        expect(await inbox()).toMatchObject([{ responseType: 'tentativelyAccepted', proposedNewTime }]);
        expect(await attendee()).toMatchObject({ status: { response: 'tentativelyAccepted' }, proposedNewTime });
      });
    });
  },
  { clockStart: CLOCK_START },
);
