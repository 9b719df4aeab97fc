import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';

const utc = (dateTime: string) => ({ dateTime, timeZone: 'UTC' });
const person = (address: string) => ({ emailAddress: { address, name: address } });

onAnyStore('the update of messages', (bench) => {
  let path: string;

  const patch = (body: object, headers: Record<string, string> = {}) => bench.call('PATCH', path, { body, headers });

  beforeEach(() => bench.jar.reset());

  describe('of a meeting request', () => {
    beforeEach(async () => {
      await bench.jar.mailbox('admin').send({
        from: 'Carol <carol@fabrikam.example>',
        subject: 'Review',
        text: 'Please come',
        meeting: { start: '2027-01-05T10:00:00', timeZone: 'Europe/Berlin', duration: '45m', location: 'Room 4' },
      });
      const { body } = await bench.call('GET', '/beta/me/messages');
      path = `/beta/me/messages/${body.value[0].id}`;
    });

    it('accepts all that a client was shown, and properties that are shown only when selected', async () => {
      const { body: shown } = await bench.call('GET', path);
      expect(await patch({ ...shown, isRead: true })).toMatchObject({ status: 200, body: { isRead: true } });
      const { uniqueBody } = (await bench.call('GET', `${path}?$select=uniqueBody`)).body;
      expect(uniqueBody.content).toBe('<div>Please come</div>');
      expect(await patch({ uniqueBody, ___location: shown.location })).toMatchObject({ status: 200 });
    });

    it.each([
      ['subject', 'Other'],
      ['body', { contentType: 'text', content: 'Other' }],
      ['toRecipients', []],
      ['ccRecipients', [person('x@fabrikam.example')]],
      ['replyTo', [person('x@fabrikam.example')]],
      ['from', person('x@fabrikam.example')],
      ['sender', person('x@fabrikam.example')],
      ['internetMessageId', '<x@fabrikam.example>'],
      ['startDateTime', utc('2027-01-06T00:00:00')],
      ['location', { displayName: 'Room 5' }],
      ['___location', { displayName: 'Room 5' }],
      ['recurrence', {}],
      ['type', 'occurence'],
      ['meetingMessageType', 'none'],
      ['meetingRequestType', 'none'],
      ['isOutOfDate', true],
      ['isDelegated', true],
      ['allowNewTimeProposals', false],
      ['responseRequested', false],
      ['previousLocation', { displayName: 'Room 5' }],
      ['hasAttachments', true],
      ['changeKey', 'x'],
      ['mentions', []],
      ['extensions', []],
    ])('refuses another value of %s', async (name, value) => {
      const { body: before } = await bench.call('GET', path);
      expect(await patch({ categories: ['Red'], [name]: value })).toMatchObject({
        status: 400,
        body: { error: { code: 'ErrorInvalidPropertySet', target: name } },
      });
      expect((await bench.call('GET', path)).body).toEqual(before);
    });

    it('changes isAllDay together with the times, and not the event', async () => {
      const times = { startDateTime: utc('2027-01-05T00:00:00'), endDateTime: utc('2027-01-06T00:00:00') };
      expect(await patch({ isAllDay: true, ...times })).toMatchObject({
        status: 200,
        body: {
          isAllDay: true,
          startDateTime: { dateTime: '2027-01-05T00:00:00.0000000' },
          endDateTime: { dateTime: '2027-01-06T00:00:00.0000000' },
        },
      });
      expect((await bench.call('GET', `${path}/event`)).body).toMatchObject({
        isAllDay: false,
        start: { dateTime: '2027-01-05T09:00:00.0000000' },
      });
    });

    it.each([
      ['without times that are midnights', { isAllDay: true }, 'ErrorPropertyValidationFailure', 'startDateTime'],
      [
        'with an end in the middle of a day',
        { isAllDay: true, startDateTime: utc('2027-01-05T00:00:00'), endDateTime: utc('2027-01-05T12:00:00') },
        'ErrorPropertyValidationFailure',
        'endDateTime',
      ],
      [
        'with an end before the start',
        { isAllDay: false, endDateTime: utc('2027-01-01T00:00:00') },
        'ErrorPropertyValidationFailure',
        'endDateTime',
      ],
      ['that is no truth', { isAllDay: 'perhaps' }, 'RequestBodyRead', 'isAllDay'],
      ['with a start that is no time', { isAllDay: true, startDateTime: 'noon' }, 'RequestBodyRead', 'startDateTime'],
    ])('refuses isAllDay %s', async (_, body, code, target) => {
      expect(await patch(body)).toMatchObject({ status: 400, body: { error: { code, target } } });
    });
  });

  describe('of a draft', () => {
    beforeEach(async () => {
      const { body } = await bench.call('POST', '/beta/me/messages', {
        body: { subject: 'Draft', importance: 'high', categories: ['Red'], body: { content: 'Words' } },
      });
      path = `/beta/me/messages/${body.id}`;
    });

    it('a task that is completed has the time of it, unless the client says another', async () => {
      const flagged = async (flag: object) => (await patch({ flag })).body.flag;
      expect(await flagged({ flagStatus: 'complete' })).toMatchObject({
        flagStatus: 'complete',
        completedDateTime: { dateTime: expect.stringMatching(/^\d{4}-/), timeZone: 'UTC' },
      });
      const completedDateTime = { dateTime: '2026-01-02T00:00:00.0000000', timeZone: 'UTC' };
      const flag = { flagStatus: 'complete', completedDateTime };
      expect(await flagged(flag)).toEqual(flag);
      expect(await flagged({ flagStatus: 'flagged' })).toEqual({ flagStatus: 'flagged' });
    });

    it('takes null for the default', async () => {
      const nulls = { body: null, importance: null, categories: null, flag: null, inferenceClassification: null };
      expect(await patch(nulls)).toMatchObject({
        status: 200,
        body: {
          body: { contentType: 'text', content: '' },
          bodyPreview: '',
          importance: 'normal',
          categories: [],
          flag: { flagStatus: 'notFlagged' },
          inferenceClassification: 'focused',
        },
      });
    });

    it.each([
      ['mentions', [{}], 'RequestBodyRead', 'mentions[0]/mentioned'],
      ['internetMessageId', 'two words', 'RequestBodyRead', 'internetMessageId'],
      ['internetMessageId', '', 'RequestBodyRead', 'internetMessageId'],
      ['internetMessageHeaders', [{ name: 'x-a!b', value: '1' }], 'ErrorInvalidProperty', 'internetMessageHeaders[0]'],
      [
        'internetMessageHeaders',
        [{ name: `x-${'a'.repeat(80)}`, value: '1' }],
        'ErrorInvalidProperty',
        'internetMessageHeaders[0]',
      ],
      ['toRecipients', [person('a\u2028@b.example')], 'RequestBodyRead', 'toRecipients[0]/emailAddress'],
    ])('refuses %s that no mail can have: %j', async (name, value, code, target) => {
      expect(await patch({ [name]: value })).toMatchObject({ status: 400, body: { error: { code, target } } });
    });

    it('reduces a subject to one line, for any kind of line break', async () => {
      const { body } = await patch({ subject: 'a\u2028b\r\nBcc: c' });
      expect(body.subject).toBe('a b Bcc: c');
    });

    it('cuts a long subject between characters', async () => {
      const { body } = await patch({ subject: `x${'😀'.repeat(200)}` });
      expect(body.subject).toBe(`x${'😀'.repeat(127)}`);
      const { body: odd } = await patch({ subject: '😀'.repeat(200) });
      expect(odd.subject).toBe('😀'.repeat(127));
    });
  });
});
