import type { Navigation } from '../../../kernel/odata/index.ts';
import type { MailCall } from '../api/request.ts';
import type { Message } from './types.ts';

/** What `$expand` can bring into messages. */
export const messageNavigations = (_call: MailCall): readonly Navigation<Message, unknown>[] => [];
