import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';
import { addRoom, ROOM } from './support.ts';

const at = (day: string, time: string) => ({ dateTime: `${day}T${time}:00`, timeZone: 'UTC' });
const times = (day: string, from: string, to: string) => ({ start: at(day, from), end: at(day, to) });
const resource = { type: 'resource', emailAddress: { address: ROOM, name: 'Room 4' } };
const WINDOW = 'startDateTime=2026-01-01T00:00:00Z&endDateTime=2026-12-31T00:00:00Z';
const weekly = (day: string, range: object) => ({
  recurrence: { pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'] }, range: { startDate: day, ...range } },
});

onBothStores(
  'a room that is invited',
  (bench) => {
    let ada: Client;
    let lin: Client;

    beforeEach(async () => {
      await bench.jar.reset();
      await addRoom(bench);
      ada = await graphClient(bench);
      lin = await graphClient(bench, { user: 'licensed' });
    });

    const book = async (who: Client, more: object) => {
      const { id } = await who.api('/me/events').post({ subject: 'Review', attendees: [resource], ...more });
      await bench.jar.settled();
      return id as string;
    };
    const answerOf = async (who: Client, id: string): Promise<string> => {
      await bench.jar.settled();
      return (await who.api(`/me/events/${id}`).get()).attendees[0].status.response;
    };
    const inbox = async (who: Client) =>
      (await who.api('/me/mailFolders/inbox/messages').version('beta').orderby('receivedDateTime desc').get()).value;
    const roomView = async () => {
      const room = await graphClient(bench, { user: ROOM });
      return (await room.api(`/me/calendarView?${WINDOW}`).top(200).get()).value;
    };

    it('accepts if it is free, shows the organizer, and accepts no conflicting booking', async () => {
      const secret = { body: { contentType: 'text', content: 'Salaries' }, sensitivity: 'private' };
      const id = await book(ada, { ...times('2026-02-02', '09:00', '10:00'), ...secret });
      expect(await answerOf(ada, id)).toBe('accepted');
      const [answer] = await inbox(ada);
      expect(answer).toMatchObject({ subject: 'Accepted: Review', meetingMessageType: 'meetingAccepted' });
      expect(answer.bodyPreview).toContain('Your request was accepted.');
      expect(await roomView()).toMatchObject([
        {
          subject: 'Ada Admin',
          bodyPreview: '',
          sensitivity: 'normal',
          showAs: 'busy',
          responseStatus: { response: 'accepted' },
        },
      ]);
      const touching = await book(lin, times('2026-02-02', '10:00', '11:00'));
      expect(await answerOf(lin, touching)).toBe('accepted');
      const conflict = await book(lin, times('2026-02-02', '09:30', '09:45'));
      expect(await answerOf(lin, conflict)).toBe('declined');
      const declined = (await inbox(lin)).find(({ subject }: { subject: string }) => subject.startsWith('Declined'));
      expect(declined.body.content).toContain('there are conflicts');
      expect(declined.body.content).toContain('Ada Admin, 2026-02-02T09:00:00.000Z to 2026-02-02T10:00:00.000Z');
      expect(await roomView()).toHaveLength(2);
      const room = await graphClient(bench, { user: ROOM });
      expect((await room.api('/me/mailFolders/inbox/messages').get()).value).toEqual([]);
    });

    it('follows updates and cancellations: it releases a time that it cannot keep', async () => {
      const first = await book(ada, times('2026-02-02', '09:00', '10:00'));
      const second = await book(lin, times('2026-02-02', '11:00', '12:00'));
      await lin.api(`/me/events/${second}`).patch({ subject: 'Other words' });
      expect(await answerOf(lin, second)).toBe('accepted');
      expect((await roomView()).map(({ subject }: { subject: string }) => subject)).toEqual([
        'Ada Admin',
        'Lin Licensed',
      ]);
      await lin.api(`/me/events/${second}`).patch(times('2026-02-02', '09:00', '10:00'));
      expect(await answerOf(lin, second)).toBe('declined');
      expect(await roomView()).toHaveLength(1);
      await ada.api(`/me/events/${first}/cancel`).post({ comment: 'Another day' });
      await bench.jar.settled();
      await lin.api(`/me/events/${second}`).patch(times('2026-02-02', '09:15', '10:00'));
      expect(await answerOf(lin, second)).toBe('accepted');
      const view = await roomView();
      expect(view.map(({ isCancelled }: { isCancelled: boolean }) => isCancelled)).toEqual([true, false]);
    });

    it('accepts a series with all of its occurrences or not at all, and single occurrences separately', async () => {
      const single = await book(ada, times('2026-02-16', '09:30', '10:30'));
      const range = { type: 'numbered', numberOfOccurrences: 5 };
      const series = { ...times('2026-02-02', '09:00', '10:00'), ...weekly('2026-02-02', range) };
      const declined = await book(lin, series);
      expect(await answerOf(lin, declined)).toBe('declined');
      await ada.api(`/me/events/${single}`).delete();
      const accepted = await book(lin, series);
      expect(await answerOf(lin, accepted)).toBe('accepted');
      await book(ada, times('2026-02-10', '09:00', '10:00'));
      const [, second, third] = (await lin.api(`/me/events/${accepted}/instances?${WINDOW}`).get()).value;
      await lin.api(`/me/events/${second.id}`).patch(times('2026-02-10', '09:30', '10:30'));
      await lin.api(`/me/events/${third.id}`).patch(times('2026-02-17', '09:30', '10:30'));
      expect([await answerOf(lin, second.id), await answerOf(lin, third.id), await answerOf(lin, accepted)]).toEqual([
        'declined',
        'accepted',
        'accepted',
      ]);
      const view = (await roomView()).filter(({ subject }: { subject: string }) => subject === 'Lin Licensed');
      expect(view.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(0, 16))).toEqual([
        '2026-02-02T09:00',
        '2026-02-17T09:30',
        '2026-02-23T09:00',
        '2026-03-02T09:00',
      ]);
    });

    it.each([
      ['longer than a day', { start: at('2026-02-02', '09:00'), end: at('2026-02-03', '09:01') }, '1440 minutes'],
      ['further ahead than 180 days', times('2026-07-10', '09:00', '10:00'), '180 days'],
      [
        'a series without an end',
        { ...times('2026-02-02', '09:00', '10:00'), ...weekly('2026-02-02', { type: 'noEnd' }) },
        '180 days',
      ],
      [
        'a series that goes on for too long',
        {
          ...times('2026-02-02', '09:00', '10:00'),
          ...weekly('2026-02-02', { type: 'endDate', endDate: '2026-07-30' }),
        },
        '180 days',
      ],
    ])('declines %s', async (_, event, reason) => {
      const id = await book(ada, event);
      expect(await answerOf(ada, id)).toBe('declined');
      expect((await inbox(ada))[0].body.content).toContain(reason);
      expect(await roomView()).toEqual([]);
    });

    it('can be booked only by its organization, and sends no answer if none is requested', async () => {
      const other = await graphClient(bench, { user: 'other' });
      const id = await book(other, times('2026-02-02', '09:00', '10:00'));
      expect(await answerOf(other, id)).toBe('declined');
      const quiet = await book(ada, { ...times('2026-02-02', '09:00', '10:00'), responseRequested: false });
      expect(await answerOf(ada, quiet)).toBe('none');
      expect(await inbox(ada)).toEqual([]);
      expect(await roomView()).toMatchObject([{ responseStatus: { response: 'accepted' } }]);
    });

    it('a meeting that is marked as free takes no time of it, and its answers get no automatic reply', async () => {
      await ada.api('/me/mailboxSettings').patch({
        automaticRepliesSetting: { status: 'alwaysEnabled', internalReplyMessage: 'Away' },
      });
      await book(lin, times('2026-02-02', '09:00', '10:00'));
      const id = await book(ada, { ...times('2026-02-02', '09:00', '10:00'), showAs: 'free' });
      expect(await answerOf(ada, id)).toBe('accepted');
      const room = await graphClient(bench, { user: ROOM });
      expect((await room.api('/me/messages').filter("startswith(subject,'Automatic reply')").get()).value).toEqual([]);
    });

    it('files of the meeting are not stored in its calendar', async () => {
      const file = { '@odata.type': '#microsoft.graph.fileAttachment', name: 'a.txt', contentBytes: 'YQ==' };
      await book(ada, { ...times('2026-02-02', '09:00', '10:00'), attachments: [file] });
      expect(await roomView()).toMatchObject([{ hasAttachments: false }]);
    });

    it('people answer by themselves', async () => {
      const attendees = [{ type: 'resource', emailAddress: { address: 'licensed@vendor.example' } }];
      const id = await book(ada, { ...times('2026-02-02', '09:00', '10:00'), attendees });
      expect(await answerOf(ada, id)).toBe('none');
    });
  },
  { clockStart: '2026-01-05T08:00:00Z' },
);
