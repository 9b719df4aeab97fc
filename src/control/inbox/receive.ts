import { type Answer, corsHeaders, type Method, preflightHeaders, type Route } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { after } from '../../kernel/time/index.ts';
import { route } from '../family.ts';
import { admitNewInbox, mayCreateInbox } from './admit.ts';
import { inboxErrors } from './errors.ts';
import { type Recorded, record } from './record.ts';

/** Not only dots, which would change the path. */
const NAME = /^(?!\.+$)[a-z0-9._-]{1,64}$/i;
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const BODIES: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH']);

/** More than any delivery of the jar; bounded because anyone may send one. */
const LARGEST_BODY_BYTES = 2 * 1024 * 1024;

/** Names are case-insensitive, like every path of the jar. */
export function readName(text: string): string {
  if (!NAME.test(text)) throw inboxErrors.BadInboxName({ name: text.slice(0, 80) });
  return text.toLowerCase();
}

/** The receiver: open to everyone, at the inbox's address and at every path below it. */
export const receiverRoutes: readonly Route[] = METHODS.flatMap((method) => {
  const word = method.charAt(0) + method.slice(1).toLowerCase();
  const receiver = {
    method,
    summary: 'Stores the request and answers it, including handshakes; open to everyone',
    open: true,
    accepts: 'bytes',
    bodyLimitBytes: LARGEST_BODY_BYTES,
    // Only for methods for which HTTP defines a body.
    ...(BODIES.has(method) && { bodyOptional: true }),
    traits: { anyPage: true },
    responses: {
      200: "Stored; or the answer that the inbox's behaviour sets",
      403: 'The inbox does not exist, and a page of another origin cannot create it',
      429: 'The inbox does not exist, and requests from this address have created too many',
    },
    handle: (call: Call<{ name: string }>) => receive(call),
  } as const;
  return [
    route({ ...receiver, path: '/_jar/inbox/{name}', operation: `Jar_InboxReceive${word}` }),
    route({ ...receiver, path: '/_jar/inbox/{name}/{rest*}', operation: `Jar_InboxReceive${word}Below` }),
  ];
});

async function receive(call: Call<{ name: string }>): Promise<Answer> {
  const name = readName(call.params.name);
  // A CORS preflight is not a message.
  const preflight = call.method === 'OPTIONS' ? preflightHeaders(call) : undefined;
  if (preflight) return { status: 204, headers: preflight };
  const body = Buffer.isBuffer(call.body) ? call.body : Buffer.alloc(0);
  const { answer, delayMs } =
    (await record(call, name, body, mayCreateInbox(call))) ?? (await recordFirst(call, name, body));
  if (delayMs > 0) await delay(call, delayMs);
  return { ...answer, headers: { ...corsHeaders(call, []), ...answer.headers } };
}

async function recordFirst(call: Call<{ name: string }>, name: string, body: Buffer): Promise<Recorded> {
  await admitNewInbox(call);
  const recorded = await record(call, name, body, true);
  if (!recorded) throw new Error(`the inbox '${name}' could not be created`);
  return recorded;
}

/** Ends early when the sender disconnects or the jar closes. */
function delay({ jar, signal }: Call<{ name: string }>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const ends = AbortSignal.any([signal, jar.closing]);
    const cancel = after(ms, resolve);
    const stop = (): void => {
      cancel();
      resolve();
    };
    if (ends.aborted) stop();
    else ends.addEventListener('abort', stop, { once: true });
  });
}
