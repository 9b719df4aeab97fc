import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { MailValueError } from '../../../../src/services/mail/mime/errors.ts';
import { findInvitation } from '../../../../src/services/mail/mime/invitation.ts';
import { isProblem } from '../../../../src/services/mail/mime/problem.ts';
import { readMail } from '../../../../src/services/mail/mime/read.ts';
import type { OutgoingMail, ParsedMail } from '../../../../src/services/mail/mime/types.ts';
import { composeMail } from '../../../../src/services/mail/mime/write.ts';
import { exchangeCalendar } from '../fixtures/calendars.ts';
import { meeting } from '../fixtures/meeting.ts';

const MAIL: OutgoingMail = {
  from: { name: 'Ann', address: 'ann@a.example' },
  to: [{ name: 'Bob', address: 'bob@b.example' }],
  subject: 'Review',
  date: Date.UTC(2026, 0, 5, 9),
  messageId: '<1@a.example>',
  boundary: 'id-1',
};

const compose = (changes: Partial<OutgoingMail>): string => composeMail({ ...MAIL, ...changes }).toString('latin1');

function read(bytes: Buffer): ParsedMail {
  const mail = readMail(bytes);
  if (isProblem(mail)) throw new Error(mail.reason);
  return mail;
}

const readBack = (changes: Partial<OutgoingMail>): ParsedMail => read(composeMail({ ...MAIL, ...changes }));

const file = (changes: object = {}) => ({
  name: 'a.bin',
  contentType: 'application/octet-stream',
  isInline: false,
  bytes: Buffer.from([0, 1, 2, 255]),
  ...changes,
});

/** The content types of a message in order, indented by nesting. */
const typesOf = (text: string): string[] =>
  [...text.matchAll(/^Content-Type: ([\w/.+-]+)/gm)].map((match) => match[1] ?? '');

describe('a composed mail', () => {
  it('is the same for the same input, and has CRLF only', () => {
    const changes = { text: 'a\nb\rc\r\nd', html: '<p>ü</p>\n', attachments: [file()] };
    expect(compose(changes)).toBe(compose(changes));
    expect(compose(changes).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it.each<[string, Partial<OutgoingMail>, string[]]>([
    ['text', { text: 'x' }, ['text/plain']],
    ['nothing', {}, ['text/plain']],
    ['HTML', { html: '<p>x' }, ['multipart/alternative', 'text/plain', 'text/html']],
    [
      'an invitation',
      { text: 'x', html: '<p>x', calendar: { method: 'REQUEST', text: 'BEGIN:VCALENDAR' } },
      ['multipart/alternative', 'text/plain', 'text/html', 'text/calendar'],
    ],
    ['a file', { text: 'x', attachments: [file()] }, ['multipart/mixed', 'text/plain', 'application/octet-stream']],
    [
      'a picture in HTML',
      { html: '<img src="cid:a">', attachments: [file({ isInline: true, contentId: 'a' })] },
      ['multipart/related', 'multipart/alternative', 'text/plain', 'text/html', 'application/octet-stream'],
    ],
    [
      'a picture without HTML',
      { text: 'x', attachments: [file({ isInline: true, contentId: 'a' })] },
      ['multipart/mixed', 'text/plain', 'application/octet-stream'],
    ],
    [
      'everything',
      {
        html: '<img src="cid:a">',
        calendar: { method: 'REQUEST', text: 'x' },
        attachments: [file({ isInline: true, contentId: 'a' }), file()],
      },
      [
        'multipart/mixed',
        'multipart/related',
        'multipart/alternative',
        'text/plain',
        'text/html',
        'text/calendar',
        'application/octet-stream',
        'application/octet-stream',
      ],
    ],
  ])('with %s has the layout of Outlook', (_, changes, types) => {
    expect(typesOf(compose(changes))).toEqual(types);
  });

  it('carries its calendar in base64 with charset and method', () => {
    const calendar = exchangeCalendar(meeting()).toString();
    const text = compose({ html: '<p>x', calendar: { method: 'request', text: calendar } });
    expect(text).toContain(
      'Content-Type: text/calendar; charset="utf-8"; method=REQUEST\r\nContent-Transfer-Encoding: base64\r\n',
    );
    const mail = readBack({ html: '<p>x', calendar: { method: 'REQUEST', text: calendar } });
    expect(mail.calendars[0]?.bytes.toString()).toBe(calendar);
    const found = findInvitation(mail, 'UTC');
    expect(isProblem(found) ? found.reason : found?.calendar.method).toBe('REQUEST');
  });

  it('has all headers that it is given, in a fixed order', () => {
    const mail = readBack({
      sender: { name: '', address: 'sec@a.example' },
      cc: [{ name: 'Müller, Carla', address: 'carla@c.example' }],
      bcc: [{ name: '', address: 'd@d.example' }],
      replyTo: [{ name: 'Re "ply"', address: 'r@r.example' }],
      subject: 'Überprüfung der Zahlen für das nächste Jahr, mit 🎉 und viel Text dahinter, der umbrochen wird',
      inReplyTo: '<0@a.example>',
      references: ['<a@a.example>', '<0@a.example>'],
      importance: 'high',
      sensitivity: 'confidential',
      readReceiptTo: { name: '', address: 'ann@a.example' },
      deliveryReceiptTo: { name: '', address: 'ann@a.example' },
      threadTopic: 'Überprüfung',
      threadIndex: 'AdxyEXAMPLE',
      autoSubmitted: 'auto-replied',
      headers: [
        { name: 'x-custom', value: 'some value' },
        { name: 'X-Long', value: 'y'.repeat(2_000) },
        { name: 'X-Empty', value: '' },
      ],
      text: 'x',
    });
    expect(mail).toMatchObject({
      from: [MAIL.from],
      sender: { name: '', address: 'sec@a.example' },
      to: MAIL.to,
      cc: [{ name: 'Müller, Carla', address: 'carla@c.example' }],
      bcc: [{ name: '', address: 'd@d.example' }],
      replyTo: [{ name: 'Re "ply"', address: 'r@r.example' }],
      subject: 'Überprüfung der Zahlen für das nächste Jahr, mit 🎉 und viel Text dahinter, der umbrochen wird',
      date: MAIL.date,
      messageId: '<1@a.example>',
      inReplyTo: '<0@a.example>',
      references: ['<a@a.example>', '<0@a.example>'],
      importance: 'high',
      sensitivity: 'confidential',
      isReadReceiptRequested: true,
      isDeliveryReceiptRequested: true,
      threadTopic: 'Überprüfung',
      threadIndex: 'AdxyEXAMPLE',
      autoSubmitted: 'auto-replied',
    });
    expect(mail.headers.filter(({ name }) => /^x-[cle]/i.test(name)).map(({ value }) => value)).toEqual([
      'some value',
      'y'.repeat(2_000),
      '',
    ]);
  });

  it('keeps headers within 998 octets a line, and mostly within 78', () => {
    const people = Array.from({ length: 300 }, (_, index) => ({
      name: `Person ${index} Ü`,
      address: `person${index}@b.example`,
    }));
    const ids = Array.from({ length: 100 }, (_, index) => `<${index}.${'x'.repeat(40)}@a.example>`);
    const text = compose({ to: people, references: ids, subject: 'wörd '.repeat(200), text: 'x' });
    expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(read(Buffer.from(text, 'latin1')).to).toEqual(people);
  });

  it('writes addresses with UTF-8 as they are', () => {
    expect(readBack({ to: [{ name: 'Jörg', address: 'jörg@münchen.example' }], text: 'x' }).to).toEqual([
      { name: 'Jörg', address: 'jörg@münchen.example' },
    ]);
  });

  it('carries files, pictures and messages', () => {
    const inner = composeMail({ ...MAIL, subject: 'Inner', text: 'ü', boundary: 'id-1' });
    const mail = readBack({
      html: '<img src="cid:pic@a">',
      attachments: [
        file({ name: 'über "alles"; (1).bin', contentLocation: 'https://a.example/a' }),
        file({ name: `${'lang '.repeat(30)}ü.png`, contentType: 'image/png', contentId: 'pic@a', isInline: true }),
        file({ name: 'Inner.eml', isMessage: true, bytes: inner }),
      ],
    });
    expect(
      mail.attachments.map(({ name, contentType, contentId, isInline, isMessage }) => [
        name,
        contentType,
        contentId,
        isInline,
        isMessage,
      ]),
    ).toEqual([
      [`${'lang '.repeat(30)}ü.png`, 'image/png', 'pic@a', true, false],
      ['über "alles"; (1).bin', 'application/octet-stream', undefined, false, false],
      ['Inner.eml', 'message/rfc822', undefined, false, true],
    ]);
    expect(mail.attachments[1]).toMatchObject({
      bytes: Buffer.from([0, 1, 2, 255]),
      contentLocation: 'https://a.example/a',
    });
    expect(mail.attachments[2]?.bytes).toEqual(inner);
  });

  it('chooses a boundary that no part holds', () => {
    const nested = composeMail({ ...MAIL, html: '<p>x', attachments: [file()] });
    const twice = composeMail({
      ...MAIL,
      html: '<p>y',
      attachments: [file({ isMessage: true, bytes: nested, name: 'n.eml' })],
    });
    const mail = read(twice);
    expect([mail.html?.trim(), mail.attachments.length]).toEqual(['<p>y', 1]);
    expect(read(mail.attachments[0]?.bytes ?? Buffer.alloc(0)).html?.trim()).toBe('<p>x');
    expect(readBack({ text: '--=_mixed_id-1\n--=_mixed_id-1--', attachments: [file()] }).text?.trim()).toBe(
      '--=_mixed_id-1\n--=_mixed_id-1--',
    );
  });

  it('is read the same by another library', async () => {
    const bytes = composeMail({
      ...MAIL,
      cc: [{ name: 'Müller, Carla', address: 'carla@c.example' }],
      subject: 'Größe: 5 =? 6',
      html: '<p>größer</p>',
      text: 'größer',
      calendar: { method: 'REQUEST', text: 'BEGIN:VCALENDAR' },
      attachments: [file({ name: 'über.bin' })],
    });
    const mail = await PostalMime.parse(bytes);
    expect(mail).toMatchObject({
      subject: 'Größe: 5 =? 6',
      from: MAIL.from,
      cc: [{ name: 'Müller, Carla', address: 'carla@c.example' }],
      messageId: '<1@a.example>',
      date: '2026-01-05T09:00:00.000Z',
    });
    expect([mail.text?.trim(), mail.html?.trim()]).toEqual(['größer', '<p>größer</p>']);
    expect(mail.attachments.map(({ filename, mimeType, method }) => [filename, mimeType, method])).toEqual([
      [null, 'text/calendar', 'REQUEST'],
      ['über.bin', 'application/octet-stream', undefined],
    ]);
  });
});

describe('a value that would break out of its header', () => {
  const evil = 'a\r\nBcc: evil@e.example';
  const person = (name: string, address: string) => ({ name, address });

  it.each<[string, Partial<OutgoingMail>]>([
    ['subject', { subject: evil }],
    ['subject with LF', { subject: 'a\nb' }],
    ['subject with a Unicode line break', { subject: 'a\u2028b' }],
    ['name', { to: [person(evil, 'b@b.example')] }],
    ['address', { to: [person('B', evil)] }],
    ['address with brackets', { to: [person('B', 'b@b.example>, <evil@e.example')] }],
    ['address with a comma', { to: [person('', 'b@b.example,evil@e.example')] }],
    ['empty address', { to: [person('B', '')] }],
    ['message id', { messageId: `<${evil}>` }],
    ['message id with a blank', { messageId: '<a b>' }],
    ['reference', { references: [evil] }],
    ['header name', { headers: [{ name: 'X-A: b\r\nBcc', value: 'x' }] }],
    ['empty header name', { headers: [{ name: '', value: 'x' }] }],
    ['header value', { headers: [{ name: 'X-A', value: evil }] }],
    ['reserved header', { headers: [{ name: 'Content-Type', value: 'text/html' }] }],
    ['second From', { headers: [{ name: 'from', value: 'x' }] }],
    ['file name', { attachments: [file({ name: evil })] }],
    ['content type', { attachments: [file({ contentType: 'a/b; x="\r\n"' })] }],
    ['content type of one word', { attachments: [file({ contentType: 'text' })] }],
    ['content id', { attachments: [file({ contentId: evil })] }],
    ['content location', { attachments: [file({ contentLocation: evil })] }],
    ['thread topic', { threadTopic: evil }],
    ['boundary', { boundary: 'a"\r\n' }],
    ['calendar method', { calendar: { method: 'REQUEST; x=y', text: '' } }],
  ])('is refused: %s', (_, changes) => {
    expect(() => composeMail({ ...MAIL, ...changes })).toThrow(MailValueError);
  });

  it('loses other control characters', () => {
    expect(readBack({ subject: 'a\u0000b\u0007c\td', text: 'x' }).subject).toBe('abc d');
  });
});

describe('composing and parsing again', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 100 }).map((value) =>
    value
      .replace(/[\p{Cc}\u2028\u2029]/gu, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const body = fc
    .array(
      fc.string({ unit: 'grapheme', maxLength: 120 }).map((value) => value.replace(/[\p{Cc}]/gu, '')),
      { maxLength: 5 },
    )
    .map((lines) => lines.join('\n'));
  const address = fc
    .tuple(fc.stringMatching(/^[a-z0-9_+-]{1,20}$/), fc.stringMatching(/^[a-z0-9]{1,20}$/))
    .map(([local, domain]) => `${local}@${domain}.example`);
  const person = fc.record({ name: text, address });

  it('is the same', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(person, { maxLength: 4 }),
        body,
        body,
        fc.array(
          fc.record({
            name: text.map((value) => `x${value.replace(/[/\\]/g, '')}`),
            bytes: fc.uint8Array({ maxLength: 300 }),
          }),
          { maxLength: 3 },
        ),
        (subject, to, plain, html, files) => {
          const mail = readBack({
            subject,
            to,
            text: plain,
            html: `<p>${html}`,
            attachments: files.map(({ name, bytes }) => file({ name, bytes: Buffer.from(bytes) })),
          });
          expect(mail.subject).toBe(subject);
          expect(mail.to).toEqual(
            to.map(({ name, address: one }) => ({ name: name === one ? '' : name, address: one })),
          );
          expect(mail.text).toBe(plain);
          expect(mail.html).toBe(`<p>${html}`);
          expect(mail.attachments.map(({ name, bytes }) => [name, [...bytes]])).toEqual(
            files.map(({ name, bytes }) => [name.trim(), [...bytes]]),
          );
        },
      ),
    );
  });
});
