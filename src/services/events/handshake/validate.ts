import { Type } from 'typebox';
import type { Answer } from '../../../kernel/http/index.ts';
import { type EventsJar, routeCode } from '../jar.ts';
import { succeed, waitingFor } from '../subscriptions/transitions.ts';
import { VALIDATION_MS } from '../subscriptions/work-items.ts';
import { readValidation, type Wanted } from './address.ts';

const option = (description: string) => Type.Optional(Type.String({ description }));

const text = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body,
});

const DONE = text(200, 'Webhook successfully validated as a subscription endpoint.');
const NOT_MADE_HERE = text(401, 'The validation address is not valid: it was not issued by this jar, or was changed.');
const LATE = text(410, `The validation address has expired; it was valid for ${VALIDATION_MS / 60_000} minutes.`);
const NOT_WAITED_FOR = text(
  410,
  'This validation is no longer pending: the endpoint was validated before, or the event subscription was changed or deleted meanwhile.',
);

export const validate = routeCode(['name'], {
  query: Type.Object({
    id: option('Identifies the validation'),
    t: option('Time of the handshake'),
    apiVersion: option('The api-version of the request that started the handshake'),
    token: option('Signature of the address'),
  }),
  responses: { 200: 'The endpoint is validated' },
  async handle({ jar, query, method }) {
    const wanted = readValidation(jar.vault, query);
    if (!wanted) return NOT_MADE_HERE;
    // HEAD only checks the link and confirms nothing.
    return method === 'HEAD' ? { status: 200 } : agree(jar, wanted);
  },
});

function agree(jar: EventsJar, { key, operation, time }: Wanted): Promise<Answer> {
  return jar.store.transact(async (tx) => {
    if (jar.clock.now() >= Date.parse(time) + VALIDATION_MS) return LATE;
    const waiting = await waitingFor(tx, key, operation);
    if (!waiting) return NOT_WAITED_FOR;
    await succeed(tx, jar, waiting);
    return DONE;
  });
}
