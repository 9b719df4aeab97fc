import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCalendar } from '../../../../src/services/mail/ical/read.ts';
import { findInvitation } from '../../../../src/services/mail/mime/invitation.ts';
import { isProblem } from '../../../../src/services/mail/mime/problem.ts';
import { readMail } from '../../../../src/services/mail/mime/read.ts';
import { invitationMail, SENDERS, senderNames } from '../fixtures/mails.ts';
import { BOB, CARLA, meeting } from '../fixtures/meeting.ts';

const ZONE = 'Europe/Berlin';

const whole = meeting({
  attendees: [BOB, CARLA],
  rule: 'FREQ=WEEKLY;COUNT=10',
  exDates: ['20260119T090000'],
  overrides: [{ recurrenceId: '20260112T090000', start: '20260112T140000' }],
});

/** A text with some bytes replaced, removed or repeated. */
const mutated = (bytes: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .array(
      fc.record({
        at: fc.nat(bytes.length),
        length: fc.nat(30),
        by: fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.constantFrom(...PIECES)),
      }),
      { minLength: 1, maxLength: 8 },
    )
    .map((changes) => {
      let changed = bytes;
      for (const { at, length, by } of changes)
        changed = Buffer.concat([changed.subarray(0, at), by, changed.subarray(at + length)]);
      return changed;
    });

const PIECES = [
  '\r\n',
  '\n ',
  ':',
  ';',
  '"',
  '=',
  '\0',
  'BEGIN:VEVENT\n',
  'END:VCALENDAR\n',
  'DTSTART:99991231T235959Z\n',
  'DURATION:P999999W\n',
  'DTSTART;VALUE=DATE:00010101\n',
  '\\',
  '--',
  '\r\n\r\n',
  '=?utf-8?B?',
  '(',
  '<',
  'Content-Type: multipart/mixed; boundary=""\r\n',
].map((text) => new TextEncoder().encode(text));

function check(bytes: Buffer): void {
  const calendar = readCalendar(bytes, ZONE);
  expect(isProblem(calendar) || calendar.components.length > 0).toBe(true);
  const mail = readMail(bytes);
  if (isProblem(mail)) return;
  const invitation = findInvitation(mail, ZONE);
  expect(invitation === undefined || isProblem(invitation) || invitation.calendar.method !== '').toBe(true);
}

describe('reading never throws', () => {
  it('for random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => check(Buffer.from(bytes))));
  });

  it.each(senderNames)('for changed invitations of %s', (sender) => {
    fc.assert(fc.property(mutated(SENDERS[sender].calendar(whole)), check), { numRuns: 30 });
    fc.assert(fc.property(mutated(invitationMail(sender, whole)), check), { numRuns: 30 });
  });

  it.each(senderNames)('for invitations of %s that end early', (sender) => {
    const bytes = invitationMail(sender, whole);
    for (let length = 0; length < bytes.length; length += 71) check(bytes.subarray(0, length));
  });
});
