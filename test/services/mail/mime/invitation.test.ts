import { describe, expect, it } from 'vitest';
import { findInvitation, type Invitation } from '../../../../src/services/mail/mime/invitation.ts';
import { isProblem, type Problem } from '../../../../src/services/mail/mime/problem.ts';
import { readMail } from '../../../../src/services/mail/mime/read.ts';
import type { ParsedMail } from '../../../../src/services/mail/mime/types.ts';
import { exchangeCalendar, googleCalendar, minimalCalendar } from '../fixtures/calendars.ts';
import { exchangeMail, googleMail, invitationMail, minimalMail, senderNames } from '../fixtures/mails.ts';
import { ANN, BOB, meeting } from '../fixtures/meeting.ts';

const ZONE = 'Europe/Berlin';

function read(bytes: Buffer): ParsedMail {
  const mail = readMail(bytes);
  if (isProblem(mail)) throw new Error(mail.reason);
  return mail;
}

const find = (bytes: Buffer): Invitation | Problem | undefined => findInvitation(read(bytes), ZONE);

function invitation(bytes: Buffer): Invitation {
  const found = find(bytes);
  if (found === undefined || isProblem(found)) throw new Error(found?.reason ?? 'no calendar');
  return found;
}

const codeOf = (found: Invitation | Problem | undefined): string | undefined =>
  isProblem(found) ? found.code : undefined;

const envelope = { from: ANN, to: [BOB], subject: 'Review', messageId: '<1@a.example>', method: 'REQUEST' };

const part = (type: string, calendar: Buffer, ...headers: string[]): string =>
  [`Content-Type: ${type}`, ...headers, '', calendar.toString('latin1')].join('\r\n');

const mixed = (...parts: string[]): Buffer =>
  Buffer.from(
    `From: a@a.example\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n${parts.map((text) => `--m\r\n${text}\r\n`).join('')}--m--`,
    'latin1',
  );

describe.each(senderNames)('an invitation from %s', (sender) => {
  it.each(['REQUEST', 'CANCEL'] as const)('is found for %s', (method) => {
    const found = invitation(invitationMail(sender, meeting({ method, sequence: 2 })));
    expect(found.calendar).toMatchObject({ method, components: [{ uid: meeting().uid, sequence: 2 }] });
  });

  it('leaves the body and, of the calendar, at most the copy that the sender attached', () => {
    const mail = read(invitationMail(sender, meeting()));
    const found = invitation(invitationMail(sender, meeting()));
    expect(found.attachments.map(({ name }) => name)).toEqual(found.twins.map(({ name }) => name));
    if (mail.html !== undefined) expect(mail.html).toContain('café');
  });
});

describe('the invitation among calendar parts', () => {
  const calendar = minimalCalendar(meeting());
  const other = minimalCalendar(meeting({ uid: 'other' }));

  it('is the one in multipart/alternative, and its twin is known by UID, SEQUENCE and DTSTAMP', () => {
    const found = invitation(googleMail(envelope, googleCalendar(meeting())));
    expect([found.part.isAlternative, found.part.contentType, found.twins.map(({ name }) => name)]).toEqual([
      true,
      'text/calendar',
      ['invite.ics'],
    ]);
  });

  it('is a shown part before an attached one, whatever their order', () => {
    const found = invitation(
      mixed(
        part('application/ics', other, 'Content-Disposition: attachment; filename=o.ics'),
        part('text/calendar; method=REQUEST', calendar),
      ),
    );
    expect([found.calendar.components[0]?.uid, found.twins, found.attachments.map(({ name }) => name)]).toEqual([
      meeting().uid,
      [],
      ['o.ics'],
    ]);
  });

  it('is an attached part if there is no other, and is then not an attachment', () => {
    const found = invitation(
      mixed(
        part('text/plain', Buffer.from('Hi')),
        part('text/calendar; method=REQUEST; name=event.ics', calendar, 'Content-Disposition: attachment'),
      ),
    );
    expect([found.part.name, found.attachments]).toEqual(['event.ics', []]);
  });

  it('skips parts that cannot be read', () => {
    const found = invitation(
      mixed(part('text/calendar; method=REQUEST', Buffer.from('broken')), part('application/ics', calendar)),
    );
    expect(found.part.contentType).toBe('application/ics');
  });

  it('uses METHOD if the parameter is missing, and the parameter if METHOD is missing', () => {
    expect(invitation(mixed(part('text/calendar', calendar))).calendar.method).toBe('REQUEST');
    const without = Buffer.from(calendar.toString().replace('METHOD:REQUEST\r\n', ''));
    expect(invitation(minimalMail({ ...envelope, method: 'request' }, without)).calendar.method).toBe('REQUEST');
  });

  it.each<[string, Buffer, string | undefined]>([
    ['disagreeing methods', minimalMail({ ...envelope, method: 'CANCEL' }, calendar), 'wrongMethod'],
    [
      'disagreeing methods beside a good copy',
      mixed(part('text/calendar; method=CANCEL', calendar), part('application/ics', calendar)),
      'wrongMethod',
    ],
    [
      'no method at all',
      mixed(part('text/calendar', Buffer.from(calendar.toString().replace('METHOD:REQUEST\r\n', '')))),
      'noMethod',
    ],
    [
      'a task',
      mixed(
        part(
          'text/calendar; method=REQUEST',
          Buffer.from('BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VTODO\nUID:1\nEND:VTODO\nEND:VCALENDAR'),
        ),
      ),
      'noEvent',
    ],
    [
      'two meetings',
      mixed(
        part(
          'text/calendar',
          Buffer.from(
            calendar.toString().replace('END:VCALENDAR', 'BEGIN:VEVENT\r\nUID:2\r\nEND:VEVENT\r\nEND:VCALENDAR'),
          ),
        ),
      ),
      'severalUids',
    ],
    [
      'no organizer',
      mixed(part('text/calendar', Buffer.from(calendar.toString().replace(/ORGANIZER.*\r\n/, '')))),
      'missingProperty',
    ],
    ['no calendar', mixed(part('text/plain', Buffer.from('Hi'))), undefined],
    ['a calendar file of no calendar type', mixed(part('application/octet-stream; name=a.ics', calendar)), undefined],
  ])('is none with %s', (_, bytes, code) => {
    const found = find(bytes);
    expect(found === undefined || isProblem(found)).toBe(true);
    expect(codeOf(found)).toBe(code);
  });

  it('of a forwarded request still names the organizer', () => {
    const mail = exchangeMail({ ...envelope, from: BOB, subject: 'FW: Review' }, exchangeCalendar(meeting()));
    expect(read(mail).from[0]?.address).toBe(BOB.address);
    expect(invitation(mail).calendar.components[0]?.organizer?.address).toBe(ANN.address);
  });

  it('is looked for in ten parts at most', () => {
    const broken = part('text/calendar; method=REQUEST', Buffer.from('broken'));
    expect(codeOf(find(mixed(...Array.from({ length: 500 }, () => broken), part('application/ics', calendar))))).toBe(
      'notACalendar',
    );
  });
});
