import type { Navigation } from '../../../kernel/odata/index.ts';
import type { MailCall } from '../api/request.ts';
import { mentionsNavigation } from '../extras/mentions.ts';
import { itemNavigations } from '../extras/navigations.ts';
import { eventNavigation } from './event-navigation.ts';
import type { Message } from './types.ts';

/** Navigation properties that `$expand` can add to messages. */
export const messageNavigations = (call: MailCall): readonly Navigation<Message, unknown>[] => [
  ...itemNavigations(call),
  eventNavigation(call) as Navigation<Message, unknown>,
  ...(call.version === 'beta' ? [mentionsNavigation(call) as Navigation<Message, unknown>] : []),
];
