import type { Client } from '@microsoft/microsoft-graph-client';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { createTransport } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { onBothStores } from '../../../support/jars.ts';
import { type PostfixServer, stopPostfixAfterwards, usePostfix } from '../../../support/postfix.ts';
import { graphClient } from '../graph-client.ts';
import { calendarText } from '../meetings/arrivals.ts';
import { Gate } from './gate.ts';

/** Mail that leaves the jar through a real mail server, parsed by other libraries than those that wrote it. */

const ADA = 'admin@vendor.example';
const gate = await Gate.open();
stopPostfixAfterwards();

const at = (dateTime: string) => ({ dateTime, timeZone: 'Europe/Berlin' });
const person = (address: string) => ({ emailAddress: { address } });
const attendee = (address: string) => ({ type: 'required', ...person(address) });

interface Arrived {
  readonly mail: Email;
  /** Parsed by ical.js. */
  readonly method: string;
  readonly event: ICAL.Event;
  readonly component: ICAL.Component;
  /** The same, parsed by node-ical. */
  readonly other: { readonly start: Date; readonly end: Date; readonly summary: unknown };
}

async function readMail(raw: Buffer): Promise<Arrived> {
  const mail = await PostalMime.parse(raw);
  const parts = mail.attachments.filter(({ mimeType }) => mimeType === 'text/calendar');
  expect(parts).toHaveLength(1);
  const content = parts[0]?.content;
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const method = String(calendar.getFirstPropertyValue('method'));
  expect(parts[0]?.method).toBe(method);
  const component = calendar.getFirstSubcomponent('vevent');
  const other = Object.values(nodeIcal.sync.parseICS(text)).find((each) => each?.type === 'VEVENT');
  if (!component || other?.type !== 'VEVENT') throw new Error(`no event in ${text}`);
  return {
    mail,
    method,
    component,
    event: new ICAL.Event(component),
    other: { start: new Date(other.start), end: new Date(other.end ?? other.start), summary: other.summary },
  };
}

onBothStores(
  'mail to the world by a relay',
  (bench) => {
    let server: PostfixServer;
    let ada: Client;
    let count = 0;

    beforeEach(async (context) => {
      server = await usePostfix(context);
      gate.target = server.port;
      gate.isOpen = true;
      await bench.jar.reset();
      ada = await graphClient(bench, { version: 'beta' });
    });

    /** An address that has received no mail yet. */
    const freshAddress = (name: string): string => {
      count += 1;
      return `${name}${count}.${bench.jar.smtpPort}@away.test`;
    };

    /** Waits for exactly this many mails, and returns them. */
    const arrivedAt = async (address: string, howMany: number): Promise<readonly Buffer[]> => {
      await bench.jar.settled();
      return eventually(async () => {
        const all = await server.messagesFor(address);
        expect(all).toHaveLength(howMany);
        return all;
      });
    };

    const inviteAda = async (organizer: string): Promise<{ readonly id: string }> => {
      const content = calendarText({
        method: 'REQUEST',
        events: [
          {
            UID: `invitation-of-${organizer}`,
            SEQUENCE: '3',
            DTSTAMP: '20260105T080000Z',
            DTSTART: ';TZID=Europe/Berlin:20260203T090000',
            DTEND: ';TZID=Europe/Berlin:20260203T100000',
            SUMMARY: 'Grüße',
            ORGANIZER: `mailto:${organizer}`,
            ATTENDEE: `;RSVP=TRUE:mailto:${ADA}`,
          },
        ],
      });
      const transport = createTransport({ host: '127.0.0.1', port: bench.jar.smtpPort, ignoreTLS: true });
      const icalEvent = { method: 'REQUEST', content };
      await transport.sendMail({ from: organizer, to: ADA, subject: 'Grüße', text: 'Come', icalEvent });
      return (await ada.api('/me/events').get()).value[0];
    };

    const deliveries = async (query = '') => {
      const path = `/_jar/deliveries?policy=mail.relay${query}`;
      const { body } = await bench.call('GET', path, { token: bench.jar.adminKey });
      return (body as { value: { id: string; state: string; subject: string; attempts: number }[] }).value;
    };

    it('the answer to an organizer elsewhere arrives once, as a REPLY', async () => {
      const carol = freshAddress('carol');
      const { id } = await inviteAda(carol);
      await ada.api(`/me/events/${id}/accept`).post({ comment: 'Gern, bis später', sendResponse: true });
      const [raw] = await arrivedAt(carol, 1);
      const { mail, method, event, component, other } = await readMail(raw as Buffer);
      expect(mail).toMatchObject({ subject: 'Accepted: Grüße', from: { address: ADA }, to: [{ address: carol }] });
      expect(mail.text).toContain('Gern, bis später');
      expect(method).toBe('REPLY');
      expect(event).toMatchObject({ uid: `invitation-of-${carol}`, sequence: 3, summary: 'Grüße' });
      expect(component.getFirstPropertyValue('comment')).toBe('Gern, bis später');
      const rows = component.getAllProperties('attendee');
      expect(rows.map((row) => [row.getFirstValue(), row.getParameter('partstat')])).toEqual([
        [`mailto:${ADA}`, 'ACCEPTED'],
      ]);
      expect(component.getFirstPropertyValue('organizer')).toBe(`mailto:${carol}`);
      expect(other).toMatchObject({
        start: new Date('2026-02-03T08:00:00Z'),
        end: new Date('2026-02-03T09:00:00Z'),
        summary: 'Grüße',
      });
    });

    it('a proposed time arrives once, as a COUNTER', async () => {
      const carol = freshAddress('carol');
      const { id } = await inviteAda(carol);
      const proposedNewTime = { start: at('2026-02-03T14:00:00'), end: at('2026-02-03T15:00:00') };
      await ada.api(`/me/events/${id}/tentativelyAccept`).post({ sendResponse: true, proposedNewTime });
      const [raw] = await arrivedAt(carol, 1);
      const { mail, method, component, other } = await readMail(raw as Buffer);
      expect(mail.subject).toBe('New Time Proposed: Grüße');
      expect(method).toBe('COUNTER');
      expect(component.getFirstProperty('attendee')?.getParameter('partstat')).toBe('TENTATIVE');
      expect(component.getFirstPropertyValue('sequence')).toBe(3);
      expect(other.start).toEqual(new Date('2026-02-03T13:00:00Z'));
      const original = component.getFirstProperty('x-ms-olk-originalstart');
      expect(String(original?.getFirstValue())).toContain('20260203T090000');
    });

    it('an invitation, its update and its cancellation arrive once each', async () => {
      const dan = freshAddress('dan');
      const { id, uid } = await ada.api('/me/events').post({
        subject: 'Planung für März',
        body: { contentType: 'html', content: '<p>Agenda: <b>Zahlen</b></p>' },
        start: at('2026-03-02T09:00:00'),
        end: at('2026-03-02T10:00:00'),
        location: { displayName: 'Raum 1, Erdgeschoß' },
        attendees: [attendee(dan)],
        recurrence: {
          pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'] },
          range: { type: 'numbered', startDate: '2026-03-02', numberOfOccurrences: 6 },
        },
      });
      const [first] = await arrivedAt(dan, 1);
      const invited = await readMail(first as Buffer);
      expect(invited.mail).toMatchObject({ subject: 'Planung für März', to: [{ address: dan }] });
      expect(invited.mail.html).toContain('<b>Zahlen</b>');
      expect(invited.method).toBe('REQUEST');
      expect(invited.event).toMatchObject({ uid, sequence: 0, location: 'Raum 1, Erdgeschoß' });
      expect(invited.event.isRecurring()).toBe(true);
      // Six Mondays in Berlin, across the change to summer time on 29 March.
      const times = invited.event.iterator();
      const starts = Array.from({ length: 6 }, () => times.next()?.toString());
      expect(starts).toEqual(
        ['03-02', '03-09', '03-16', '03-23', '03-30', '04-06'].map((day) => `2026-${day}T09:00:00`),
      );
      expect(times.next()).toBeFalsy();

      await ada.api(`/me/events/${id}`).patch({ location: { displayName: 'Raum 2' } });
      const updates = await Promise.all((await arrivedAt(dan, 2)).map(readMail));
      expect(updates.map(({ event }) => event.location).toSorted()).toEqual(['Raum 1, Erdgeschoß', 'Raum 2']);
      expect(new Set(updates.map(({ event }) => event.uid))).toEqual(new Set([uid]));

      await ada.api(`/me/events/${id}/cancel`).post({ comment: 'Schade' });
      const all = await Promise.all((await arrivedAt(dan, 3)).map(readMail));
      const cancelled = all.find(({ method }) => method === 'CANCEL');
      expect(cancelled?.mail.subject).toBe('Canceled: Planung für März');
      expect(cancelled?.event).toMatchObject({ uid, sequence: 1 });
      expect(cancelled?.component.getFirstPropertyValue('status')).toBe('CANCELLED');
      expect(new Set(all.map(({ mail }) => mail.messageId)).size).toBe(3);
    });

    it('a plain mail arrives with its attachment and a subject that is not ASCII, and shows no blind copies', async () => {
      const [to, hidden] = [freshAddress('to'), freshAddress('hidden')];
      await ada.api('/me/sendMail').post({
        message: {
          subject: 'Überweisung – ¥ 1.000 🙂',
          body: { contentType: 'text', content: 'Zeile eins\n.\n..Punkte\nEnde' },
          toRecipients: [{ emailAddress: { name: 'Jörg Tö', address: to } }],
          bccRecipients: [{ emailAddress: { address: hidden } }],
          attachments: [
            {
              '@odata.type': '#microsoft.graph.fileAttachment',
              name: 'Prüfung.bin',
              contentType: 'application/octet-stream',
              contentBytes: Buffer.from([0, 255, 13, 10, 46, 13, 10]).toString('base64'),
            },
          ],
        },
      });
      for (const address of [to, hidden]) {
        const [raw] = await arrivedAt(address, 1);
        const mail = await PostalMime.parse(raw as Buffer);
        expect(mail).toMatchObject({ subject: 'Überweisung – ¥ 1.000 🙂', to: [{ name: 'Jörg Tö', address: to }] });
        expect(mail.bcc).toBeUndefined();
        expect(mail.text?.replaceAll('\r\n', '\n').trimEnd()).toBe('Zeile eins\n.\n..Punkte\nEnde');
        expect(mail.attachments).toMatchObject([{ filename: 'Prüfung.bin', mimeType: 'application/octet-stream' }]);
        expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer)).toEqual(
          Buffer.from([0, 255, 13, 10, 46, 13, 10]),
        );
      }
      const [open] = await server.messagesFor(to);
      expect(open?.toString('latin1')).not.toContain(hidden);
      expect(await deliveries()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
    });

    it('a recipient that the server refuses is reported to the sender, and the others get their mail', async () => {
      const known = freshAddress('known');
      await ada.api('/me/sendMail').post({
        message: {
          subject: 'Hello',
          body: { contentType: 'text', content: 'x' },
          toRecipients: [person('nobody@away.test'), person(known)],
        },
      });
      await arrivedAt(known, 1);
      const { value } = await ada.api('/me/mailFolders/inbox/messages').get();
      expect(value).toMatchObject([
        { subject: 'Undeliverable: Hello', from: { emailAddress: { address: 'postmaster@vendor.example' } } },
      ]);
      expect(value[0].body.content).toContain('nobody@away.test');
      expect(value[0].body.content).toMatch(/550 5\.1\.1/);
      const states = (await deliveries()).map(({ state }) => state);
      expect(states.toSorted()).toEqual(['dead-lettered', 'delivered']);
    });

    it('mail waits for a stopped relay, and arrives once when the relay runs again', async () => {
      const dan = freshAddress('dan');
      gate.isOpen = false;
      const before = gate.connections;
      await ada.api('/me/events').post({
        subject: 'Later',
        start: at('2026-03-02T09:00:00'),
        end: at('2026-03-02T10:00:00'),
        attendees: [attendee(dan)],
      });
      await bench.jar.settled();
      await bench.jar.clock.advance('2m');
      expect(gate.connections).toBeGreaterThanOrEqual(before + 2);
      expect(await deliveries('&state=queued')).toMatchObject([{ subject: `${dan}: Later` }]);
      expect(await server.messagesFor(dan)).toEqual([]);
      gate.isOpen = true;
      await bench.jar.clock.advance('20m');
      await arrivedAt(dan, 1);
      expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
      // No delivery is left that could be repeated.
      await bench.jar.clock.advance('3d');
      await arrivedAt(dan, 1);
      expect((await ada.api('/me/mailFolders/inbox/messages').get()).value).toEqual([]);
    });

    it('mail that no relay took in two days is reported to the sender', async () => {
      const dan = freshAddress('dan');
      gate.isOpen = false;
      await ada.api('/me/sendMail').post({
        message: { subject: 'Never', body: { contentType: 'text', content: 'x' }, toRecipients: [person(dan)] },
      });
      await bench.jar.clock.advance('3d');
      expect((await ada.api('/me/mailFolders/inbox/messages').get()).value).toMatchObject([
        { subject: 'Undeliverable: Never' },
      ]);
      gate.isOpen = true;
      await bench.jar.clock.advance('1d');
      expect(await server.messagesFor(dan)).toEqual([]);
    });
  },
  {
    clockStart: '2026-01-05T08:00:00Z',
    settings: { mail: { relay: { host: '127.0.0.1', port: gate.port, tls: 'off' } } },
  },
);
