import { describe, expect, it } from 'vitest';
import type { MeetingMessage, Message } from '../../../../src/services/mail/messages/types.ts';
import { rulesFor } from '../../../../src/services/mail/rules/evaluate.ts';
import { FLAG_PREDICATES, type Predicates, TEXT_PREDICATES } from '../../../../src/services/mail/rules/types.ts';
import { mail, OWNER, rule } from './sample.ts';

const person = (address: string) => ({ address, name: address });
const header = (name: string, value: string): Partial<Message> => ({ headers: [{ name, value }] });
const meeting = (changed: Partial<MeetingMessage>): Partial<Message> => ({
  meeting: {
    kind: 'eventMessage',
    messageType: 'none',
    isAllDay: false,
    isDelegated: false,
    isOutOfDate: false,
    type: 'singleInstance',
    uid: 'u',
    sequence: 0,
    stamp: 0,
    ...changed,
  },
});
const applies = (message: Partial<Message>, conditions: Predicates): boolean =>
  rulesFor(mail(message), [rule({ conditions })], OWNER).matched.length > 0;

/** A predicate, a message that matches it, and one that does not. */
const PREDICATES: readonly (readonly [Predicates, Partial<Message>, Partial<Message>])[] = [
  [{ bodyContains: ['absent', 'numbers & REPLY'] }, {}, { body: { contentType: 'text', content: 'other' } }],
  [{ bodyContains: ['<b>'] }, { body: { contentType: 'text', content: 'a <b> c' } }, {}],
  [{ subjectContains: ['quarterly'] }, {}, { subject: 'Yearly' }],
  [{ bodyOrSubjectContains: ['quarterly'] }, {}, { subject: 'Yearly' }],
  [{ bodyOrSubjectContains: ['review'] }, {}, { body: { contentType: 'text', content: '' } }],
  [{ senderContains: ['ADELE'] }, {}, { from: person('x@y.example'), sender: person('x@y.example') }],
  [{ senderContains: ['partner.example'] }, {}, { from: undefined, sender: undefined }],
  [{ recipientContains: ['lin'] }, {}, { cc: [] }],
  [{ headerContains: ['x-mailer: partner'] }, {}, { headers: [] }],
  [{ categories: ['red CATEGORY'] }, {}, { categories: ['Red'] }],
  [
    { fromAddresses: [person('ADELE@partner.example')] },
    {},
    { from: person('a@b.example'), sender: person('a@b.example') },
  ],
  [{ sentToAddresses: [person('licensed@vendor.example')] }, {}, { cc: [] }],
  [{ hasAttachments: true }, { hasAttachments: true }, {}],
  [{ importance: 'high' }, { importance: 'high' }, {}],
  [{ sensitivity: 'confidential' }, header('Sensitivity', 'Company-Confidential'), {}],
  [{ sensitivity: 'normal' }, {}, header('sensitivity', 'Private')],
  [{ messageActionFlag: 'any' }, { flag: { flagStatus: 'flagged' } }, {}],
  [{ messageActionFlag: 'followUp' }, header('X-Message-Flag', 'Follow up'), header('X-Message-Flag', 'Call')],
  [{ messageActionFlag: 'fyi' }, header('X-Message-Flag', 'For Your Information'), {}],
  [{ withinSizeRange: { minimumSize: 10, maximumSize: 11 } }, {}, { size: 9 * 1024 }],
  [{ withinSizeRange: { minimumSize: 0, maximumSize: 10 } }, {}, { size: 11 * 1024 }],
  [{ sentToMe: true }, {}, { to: [], cc: [person(OWNER)] }],
  [{ sentCcMe: true }, { cc: [person(OWNER)] }, {}],
  [{ sentOnlyToMe: true }, { cc: [] }, {}],
  [{ sentToOrCcMe: true }, { to: [], cc: [person(OWNER)] }, { to: [], cc: [] }],
  [{ notSentToMe: true }, { to: [person('list@vendor.example')] }, {}],
  [
    { isMeetingRequest: true },
    meeting({ messageType: 'meetingRequest' }),
    meeting({ messageType: 'meetingCancelled' }),
  ],
  [{ isMeetingResponse: true }, meeting({ response: { type: 'accepted' } }), meeting({})],
  [{ isAutomaticForward: true }, header('Auto-Submitted', 'auto-forwarded'), {}],
  [{ isAutomaticReply: true }, header('auto-submitted', 'auto-replied (vacation)'), header('Auto-Submitted', 'no')],
  [
    { isEncrypted: true },
    header('Content-Type', 'application/pkcs7-mime; smime-type=enveloped-data; name=m.p7m'),
    header('Content-Type', 'application/pkcs7-mime; smime-type=signed-data'),
  ],
  [{ isSigned: true }, header('Content-Type', 'multipart/signed; micalg=sha-256'), {}],
  [{ isSigned: true }, header('Content-Type', 'application/x-pkcs7-mime; smime-type="signed-data"'), {}],
  [
    { isReadReceipt: true },
    header('Content-Type', 'multipart/report; report-type=disposition-notification'),
    header('Content-Type', 'multipart/report; report-type=delivery-status'),
  ],
  [{ isNonDeliveryReport: true }, header('Content-Type', 'multipart/report; report-type="delivery-status"'), {}],
  [{ isApprovalRequest: true }, header('X-MS-Exchange-Organization-Approval-Initiator', 'moderator'), {}],
  [{ isPermissionControlled: true }, header('Content-Class', 'rpmsg.message'), {}],
  [{ isVoicemail: true }, header('Message-Context', 'voice-message'), {}],
];

describe('a predicate of a rule', () => {
  it.each(PREDICATES)('%j tells messages apart', (predicates, yes, no) => {
    expect(applies(yes, predicates)).toBe(true);
    expect(applies(no, predicates)).toBe(false);
  });

  it('is tested here, whichever of them it is', () => {
    const tested = new Set(PREDICATES.flatMap(([predicates]) => Object.keys(predicates)));
    const others = [
      'fromAddresses',
      'sentToAddresses',
      'importance',
      'sensitivity',
      'messageActionFlag',
      'withinSizeRange',
    ];
    expect([...tested].sort()).toEqual([...TEXT_PREDICATES, ...FLAG_PREDICATES, ...others].sort());
  });

  it('that is false is no condition', () => {
    expect(applies({}, { hasAttachments: false, isVoicemail: false })).toBe(true);
  });

  it('is one of several conditions that all have to hold', () => {
    expect(applies({}, { subjectContains: ['quarterly'], sentToMe: true })).toBe(true);
    expect(applies({}, { subjectContains: ['quarterly'], sentCcMe: true })).toBe(false);
  });

  it('is looked for in the first part of a huge body, without delay', () => {
    const content = `${'<p>x</p>'.repeat(4_000_000)}needle`;
    expect(applies({ body: { contentType: 'html', content } }, { bodyContains: ['needle'] })).toBe(false);
  });
});

describe('rules of a mailbox', () => {
  const run = (...rules: Parameters<typeof rule>[0][]) =>
    rulesFor(
      mail(),
      rules.map((each, at) => rule({ uid: String(at), ...each })),
      OWNER,
    );

  it('without conditions match every message, and do nothing while disabled', () => {
    expect(run({}).matched).toEqual(['0']);
    expect(run({ isEnabled: false }).matched).toEqual([]);
  });

  it('do not apply if one exception holds', () => {
    expect(run({ exceptions: { sentCcMe: true, subjectContains: ['numbers'] } }).matched).toEqual([]);
    expect(run({ exceptions: { sentCcMe: true, subjectContains: ['letters'] } }).matched).toEqual(['0']);
  });

  it('run by sequence, then by age, until one stops processing', () => {
    const outcome = run(
      { sequence: 3 },
      { sequence: 2, createdAt: 2, actions: { stopProcessingRules: true } },
      { sequence: 2, createdAt: 1 },
      { sequence: 1 },
    );
    expect(outcome.matched).toEqual(['3', '2', '1']);
  });

  it('move a message once; further moves make copies', () => {
    const outcome = run(
      { sequence: 1, actions: { moveToFolder: 'a', copyToFolder: 'c' } },
      { sequence: 2, actions: { moveToFolder: 'b' } },
      { sequence: 3, actions: { moveToFolder: 'a' } },
    );
    expect(outcome).toMatchObject({ moveTo: { folder: 'a' }, copyTo: ['c', 'b'] });
  });

  it('delete rather than move, and remove rather than delete', () => {
    const moves = { sequence: 1, actions: { moveToFolder: 'a' } };
    const deletes = { sequence: 2, actions: { delete: true } };
    expect(run(moves, deletes).moveTo).toBe('deletedItems');
    expect(run(moves, deletes, { actions: { permanentDelete: true } }).moveTo).toBe('gone');
  });

  it('combine their marks and recipients', () => {
    const outcome = run(
      { sequence: 1, actions: { markImportance: 'low', assignCategories: ['A'], forwardTo: [person('x@y.example')] } },
      {
        sequence: 2,
        actions: {
          markImportance: 'high',
          assignCategories: ['A', 'B'],
          forwardTo: [person('X@Y.example'), person('z@y.example')],
          redirectTo: [person('r@y.example')],
          forwardAsAttachmentTo: [person('f@y.example')],
        },
      },
    );
    expect(outcome).toMatchObject({ importance: 'high', categories: ['A', 'B'], markAsRead: false });
    expect(outcome.forwardTo.map(({ address }) => address.toLowerCase())).toEqual(['x@y.example', 'z@y.example']);
    expect(outcome.redirectTo).toEqual([person('r@y.example')]);
    expect(outcome.forwardAsAttachmentTo).toEqual([person('f@y.example')]);
  });
});
