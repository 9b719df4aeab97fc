import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { ADA, CAROL, CLOCK_START, type MeetingMail, mail, type Post, type Properties, postOf } from './arrivals.ts';

const EVENT: Properties = {
  UID: 'review@fabrikam.example',
  DTSTART: '20260203T090000Z',
  DTEND: '20260203T100000Z',
  SUMMARY: 'Review',
  ORGANIZER: `:mailto:${CAROL}`,
  ATTENDEE: [`;RSVP=TRUE:mailto:${ADA}`],
};

const file = (name: string, text: string): string =>
  `;FMTTYPE=text/plain;FILENAME=${name};ENCODING=BASE64;VALUE=BINARY:${Buffer.from(text).toString('base64')}`;
const link = (url: string): string => `;FILENAME=plan.pdf;FMTTYPE=application/pdf:${url}`;

const request = (version: number, changes: Properties = {}, more: Partial<MeetingMail> = {}): MeetingMail => ({
  ...mail('REQUEST', { ...EVENT, SEQUENCE: '0', DTSTAMP: `2026010${5 + version}T080000Z`, ...changes }),
  ...more,
});

onAnyStore(
  'what an organizer attaches to a meeting',
  (bench) => {
    let post: Post;
    beforeEach(async () => {
      await bench.jar.reset();
      post = await postOf(bench);
    });

    const attached = async () => {
      const [event] = await post.events();
      const { value } = await post.client.api(`/me/events/${event.id}/attachments`).get();
      expect(event.hasAttachments).toBe(value.length > 0);
      return value.map(({ id, name, contentBytes, sourceUrl }: Record<string, string>) => ({
        id,
        name,
        ...(contentBytes !== undefined && { text: Buffer.from(contentBytes, 'base64').toString() }),
        ...(sourceUrl !== undefined && { sourceUrl }),
      }));
    };

    it('an update brings files and links to the event', async () => {
      await post.send(request(0));
      expect(await attached()).toEqual([]);
      await post.send(request(1, { ATTACH: [file('a.txt', 'A'), link('https://a.example/plan.pdf')] }));
      expect(await attached()).toMatchObject([
        { name: 'a.txt', text: 'A' },
        { name: 'plan.pdf', sourceUrl: 'https://a.example/plan.pdf' },
      ]);
    });

    it('an update replaces changed attachments, removes missing ones, and keeps the ids of unchanged ones', async () => {
      await post.send(request(0, { ATTACH: [file('a.txt', 'A'), file('b.txt', 'B'), link('https://a.example/1')] }));
      const [a] = await attached();
      await post.send(request(1, { ATTACH: [file('a.txt', 'A'), file('b.txt', 'changed')] }));
      expect(await attached()).toMatchObject([a, { name: 'b.txt', text: 'changed' }]);
      await post.send(request(2));
      expect(await attached()).toEqual([]);
    });

    it('attachments of the mailbox owner stay', async () => {
      await post.send(request(0, { ATTACH: file('a.txt', 'A') }));
      const [event] = await post.events();
      await post.client.api(`/me/events/${event.id}/attachments`).post({
        '@odata.type': '#microsoft.graph.fileAttachment',
        name: 'notes.txt',
        contentBytes: Buffer.from('mine').toString('base64'),
      });
      await post.send(request(1));
      expect(await attached()).toMatchObject([{ name: 'notes.txt', text: 'mine' }]);
    });

    it('an update from another sender, or an outdated one, attaches nothing', async () => {
      await post.send(request(1));
      await post.send(request(0, { ATTACH: file('a.txt', 'A') }));
      await post.send(request(2, { ATTACH: file('a.txt', 'A') }, { from: 'dan@fabrikam.example' }));
      expect(await attached()).toEqual([]);
    });

    it('an attachment of one occurrence is added to the series', async () => {
      await post.send(request(0, { RRULE: 'FREQ=DAILY;COUNT=3', ATTACH: file('a.txt', 'A') }));
      const occurrence = {
        'RECURRENCE-ID': '20260204T090000Z',
        DTSTART: '20260204T093000Z',
        DTEND: '20260204T100000Z',
      };
      await post.send(request(1, { ...occurrence, ATTACH: file('b.txt', 'B') }));
      expect(await attached()).toMatchObject([{ name: 'a.txt' }, { name: 'b.txt' }]);
      const days = await post.view('2026-02-03', '2026-02-06');
      expect(days.map(({ hasAttachments }) => hasAttachments)).toEqual([true, true, true]);
    });

    it('attachments of an occurrence that arrived before its series stay', async () => {
      const occurrence = {
        'RECURRENCE-ID': '20260204T090000Z',
        DTSTART: '20260204T093000Z',
        DTEND: '20260204T100000Z',
      };
      await post.send(request(0, { ...occurrence, ATTACH: file('b.txt', 'B') }));
      expect(await attached()).toMatchObject([{ name: 'b.txt' }]);
      await post.send(request(1, { RRULE: 'FREQ=DAILY;COUNT=3', ATTACH: file('a.txt', 'A') }));
      expect(await attached()).toMatchObject([{ name: 'a.txt' }, { name: 'b.txt' }]);
    });

    it('both parts of a split series have its attachments', async () => {
      await post.send(request(0, { RRULE: 'FREQ=DAILY;COUNT=4', ATTACH: file('a.txt', 'A') }));
      const rest = { 'RECURRENCE-ID': ';RANGE=THISANDFUTURE:20260205T090000Z', SEQUENCE: '1' };
      await post.send(request(1, { ...rest, DTSTART: '20260205T110000Z', DTEND: '20260205T120000Z' }));
      const parts = await post.events();
      expect(parts).toMatchObject([{ hasAttachments: true }, { hasAttachments: true }]);
      for (const { id } of parts)
        expect((await post.client.api(`/me/events/${id}/attachments`).get()).value).toMatchObject([{ name: 'a.txt' }]);
    });

    it('files of the mail are attached to message and event, also if the calendar refers to them by Content-ID', async () => {
      const files = [
        { filename: 'agenda.txt', content: 'First' },
        { filename: 'map.txt', content: 'Here', cid: 'map@fabrikam.example' },
      ];
      const id = await post.send(request(0, { ATTACH: 'cid:map@fabrikam.example' }, { files }));
      expect(await post.message(id)).toMatchObject({ hasAttachments: true });
      const found = await attached();
      expect(
        found.toSorted((one: { name: string }, two: { name: string }) => (one.name < two.name ? -1 : 1)),
      ).toMatchObject([
        { name: 'agenda.txt', text: 'First' },
        { name: 'map.txt', text: 'Here' },
      ]);
    });
  },
  { clockStart: CLOCK_START },
);
