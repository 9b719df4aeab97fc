import type { Message } from '../../../../src/services/mail/messages/types.ts';
import type { MessageRule } from '../../../../src/services/mail/rules/types.ts';

export const OWNER = 'admin@vendor.example';
const person = (address: string, name = address) => ({ address, name });

/** A mail that arrived in an inbox. */
export const mail = (changed: Partial<Message> = {}): Message => ({
  uid: 'AAAAAAAAAAAAAAAA',
  mailbox: 'box',
  folder: 'inbox',
  generation: 0,
  number: 2,
  createdNumber: 2,
  createdAt: 0,
  modifiedAt: 0,
  receivedAt: 0,
  sentAt: 0,
  subject: 'Quarterly Numbers',
  body: { contentType: 'html', content: '<p>Please <b>review</b> the numbers &amp; reply.</p>' },
  bodyPreview: '',
  from: person('adele@partner.example', 'Adele Vance'),
  sender: person('adele@partner.example', 'Adele Vance'),
  to: [person('Admin@Vendor.example', 'Ada')],
  cc: [person('licensed@vendor.example', 'Lin')],
  bcc: [],
  replyTo: [],
  conversationId: 'c',
  conversationIndex: '',
  importance: 'normal',
  inference: 'focused',
  isRead: false,
  isDraft: false,
  isDeliveryReceiptRequested: false,
  isReadReceiptRequested: false,
  categories: ['Red category'],
  flag: { flagStatus: 'notFlagged' },
  internetMessageId: '<1@partner.example>',
  headers: [{ name: 'X-Mailer', value: 'Partner 1.0' }],
  hasAttachments: false,
  mentions: [],
  unsubscribe: [],
  size: 10 * 1024,
  ...changed,
});

export const rule = (changed: Partial<MessageRule>): MessageRule => ({
  uid: 'rule',
  mailbox: 'box',
  displayName: 'Rule',
  sequence: 1,
  isEnabled: true,
  isReadOnly: false,
  createdAt: 0,
  actions: { markAsRead: true },
  ...changed,
});
