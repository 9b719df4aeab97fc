import type { Answer } from '../../../kernel/http/index.ts';
import type { ODataSet } from '../../../kernel/odata/index.ts';
import type { MailCall } from '../api/request.ts';
import { pageAnswer } from '../api/show.ts';
import type { Message } from '../messages/types.ts';

/** `$search` over messages. */
export const searchMessages = (call: MailCall, set: ODataSet<Message>): Promise<Answer> => pageAnswer(call, set);
