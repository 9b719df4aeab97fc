import { describe, expect, it } from 'vitest';
import type { AutomaticReplies } from '../../../../src/services/mail/mailbox/types.ts';
import { automaticReplyFor } from '../../../../src/services/mail/settings/automatic-reply.ts';

const replies = (changed: Partial<AutomaticReplies>): { automaticReplies: AutomaticReplies } => ({
  automaticReplies: {
    status: 'alwaysEnabled',
    externalAudience: 'all',
    from: 100,
    until: 200,
    internalReplyMessage: 'inside',
    externalReplyMessage: 'outside',
    ...changed,
  },
});

describe('the automatic reply', () => {
  it.each<[string, Partial<AutomaticReplies>, number, string | undefined, string | undefined]>([
    ['is none while replies are disabled', { status: 'disabled' }, 150, undefined, undefined],
    ['is sent at any time when always enabled', {}, 5, 'inside', 'outside'],
    ['is none before the scheduled range', { status: 'scheduled' }, 99, undefined, undefined],
    ['begins with the scheduled range', { status: 'scheduled' }, 100, 'inside', 'outside'],
    ['ends with the scheduled range', { status: 'scheduled' }, 200, undefined, undefined],
    ['is for the own tenant alone', { externalAudience: 'none' }, 5, 'inside', undefined],
    ['is for contacts, of which there are none', { externalAudience: 'contactsOnly' }, 5, 'inside', undefined],
    ['is none without a text', { internalReplyMessage: ' ', externalReplyMessage: '' }, 5, undefined, undefined],
  ])('%s', (_, changed, now, inside, outside) => {
    expect(automaticReplyFor(replies(changed), now, true)).toBe(inside);
    expect(automaticReplyFor(replies(changed), now, false)).toBe(outside);
  });
});
