import type { IncomingMessage } from 'node:http';
import { explain, keyOf, openRequest, readAnswer } from '../control-client.ts';
import { CliError } from '../errors.ts';
import type { FoundJar } from '../find-jar.ts';
import type { OptionNames } from '../own-words.ts';

/** An event of a stream. Comments, which the jar sends as keep-alive, are not events. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** The jar could not be reached. Any other error is a refusal, which a retry would not change. */
export class NoJar extends CliError {}

/** The jar sends something every five seconds; a connection that is silent for this long is considered dead. */
const SILENCE_MS = 30_000;

/** The option that sets each parameter of the stream. */
const NAMES: OptionNames = {
  service: '--service',
  path: '--path',
  status: '--status',
  method: '--method',
  last: '--last',
};

/** Opens a stream of server-sent events; resolves when the jar has accepted it. */
export async function openEvents(
  jar: FoundJar,
  path: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<AsyncGenerator<StreamEvent>> {
  const headers = {
    authorization: `Bearer ${await keyOf(jar)}`,
    accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const response = await answerOf(jar, path, headers, signal);
  if (response.statusCode !== 200) {
    let text = '';
    for await (const part of response.setEncoding('utf8')) text += part;
    if (response.statusCode === 503) throw new NoJar(`the jar at ${jar.url} accepts no requests at the moment`);
    readAnswer(jar, { status: response.statusCode ?? 0, headers: response.headers, text }, NAMES);
    throw new CliError(`the server at ${jar.url} is not a jar (status ${response.statusCode})`);
  }
  return eventsOf(response);
}

async function answerOf(
  jar: FoundJar,
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  try {
    const request = await openRequest(jar, 'GET', path, headers);
    request.setTimeout(SILENCE_MS, () => request.destroy(new Error('the connection is silent')));
    signal.addEventListener('abort', () => request.destroy(), { once: true });
    if (signal.aborted) request.destroy();
    return await new Promise<IncomingMessage>((resolve, reject) => {
      // The reader of the answer handles later errors; without a listener they would end the process.
      request.on('error', reject).once('response', resolve).end();
    });
  } catch (error) {
    throw new NoJar(explain(jar, error), 1, { cause: error });
  }
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<StreamEvent> {
  let rest = '';
  for await (const part of response.setEncoding('utf8')) {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventIn(block);
      if (event) yield event;
    }
  }
}

/** The jar writes each field on one line. */
function eventIn(block: string): StreamEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const data = fields.get('data');
  return data === undefined ? undefined : { id: fields.get('id'), event: fields.get('event') ?? 'message', data };
}
