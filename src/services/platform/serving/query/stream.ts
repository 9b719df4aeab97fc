import { Readable } from 'node:stream';
import type { Json, JsonMembers } from '../../../../kernel/values/index.ts';
import { listOf, membersOf, textOf } from '../../engine/json.ts';

/** Responses as server-sent events: the text in pieces, then the finish reason and the usage, then `[DONE]`. */

/** Characters per piece. */
const PIECE = 16;

export function streamOf(answer: JsonMembers): Readable {
  return Readable.from(eventsOf(answer));
}

function* eventsOf(answer: JsonMembers): Generator<string> {
  const { object, choices, usage, ...head } = answer;
  const isChat = object === 'chat.completion';
  const common = { ...head, object: isChat ? 'chat.completion.chunk' : 'text_completion' };
  const event = (choice: JsonMembers, rest: JsonMembers = {}): string =>
    `data: ${JSON.stringify({ ...common, choices: [choice], ...rest })}\n\n`;
  const all = listOf(choices).map((choice) => membersOf(choice));
  for (const [at, { index = 0, message, text, finish_reason = null }] of all.entries()) {
    const whole = textOf(isChat ? membersOf(message).content : text) ?? '';
    let isFirst = true;
    for (const content of piecesOf(whole)) {
      const delta = isChat ? { delta: { ...(isFirst && { role: 'assistant' }), content } } : { text: content };
      yield event({ index, ...delta, finish_reason: null });
      isFirst = false;
    }
    const last: JsonMembers = { index, ...(isChat ? { delta: {} } : { text: '' }), finish_reason };
    yield event(last, at === all.length - 1 ? { usage: usage as Json } : {});
  }
  yield 'data: [DONE]\n\n';
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PIECE, text.length);
    // Keeps surrogate pairs together.
    if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end++;
    yield text.slice(at, end);
    at = end;
  }
}
