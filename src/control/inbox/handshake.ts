import type { Answer } from '../../kernel/http/index.ts';
import { parseJson } from '../../kernel/values/index.ts';
import type { Behaviour, Handshake } from './collections.ts';

/** The parts of a request that distinguish a handshake from a message. */
export interface Incoming {
  readonly method: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

interface Asked {
  readonly kind: Handshake['kind'];
  readonly url?: string;
  readonly consent: Answer;
  /** The answer that refuses. */
  readonly refusal: Answer;
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** Recognises a handshake and returns the answer to it. If handshakes are to be ignored, they are treated as ordinary messages. */
export function answerHandshake(
  incoming: Incoming,
  wish: Behaviour['handshake'] = 'answer',
): { handshake: Handshake; answer: Answer } | undefined {
  const asked = tokenHandshake(incoming) ?? codeHandshake(incoming) ?? originHandshake(incoming);
  if (!asked || wish === 'ignore') return undefined;
  const { kind, url, consent, refusal } = asked;
  const handshake = { kind, answered: wish === 'answer', ...(url !== undefined && { url }) };
  if (wish === 'answer') return { handshake, answer: consent };
  // Manual: neither consents nor refuses; the recorded request has the address for the consent.
  return { handshake, answer: wish === 'manual' ? { status: 200 } : refusal };
}

/** Business webhooks: return the token of the query as plain text. */
function tokenHandshake({ query }: Incoming): Asked | undefined {
  const token = query.validationToken ?? query.validationtoken;
  if (typeof token !== 'string') return undefined;
  const consent = { status: 200, headers: TEXT, body: token };
  return { kind: 'validationToken', consent, refusal: { status: 400 } };
}

/** The native event schema: return the code of the body. */
function codeHandshake({ method, headers, body }: Incoming): Asked | undefined {
  if (method !== 'POST' || String(headers['aeg-event-type']).toLowerCase() !== 'subscriptionvalidation')
    return undefined;
  const data = dataOf(body);
  if (typeof data?.validationCode !== 'string') return undefined;
  const { validationCode, validationUrl } = data;
  return {
    kind: 'validationCode',
    ...(typeof validationUrl === 'string' && { url: validationUrl }),
    consent: { status: 200, body: { validationResponse: validationCode } },
    refusal: { status: 400 },
  };
}

interface ValidationData {
  readonly validationCode?: unknown;
  readonly validationUrl?: unknown;
}

function dataOf(body: Buffer): ValidationData | undefined {
  try {
    const events: unknown = parseJson(body);
    const [first]: { readonly data?: ValidationData }[] = [events].flat() as { data?: ValidationData }[];
    return first?.data;
  } catch {
    return undefined;
  }
}

/** CloudEvents webhooks: the sender sends its origin and the rate that it wants. */
function originHandshake({ method, headers }: Incoming): Asked | undefined {
  const origin = headers['webhook-request-origin'];
  if (method !== 'OPTIONS' || typeof origin !== 'string') return undefined;
  const rate = headers['webhook-request-rate'];
  const callback = headers['webhook-request-callback'];
  return {
    kind: 'allowedOrigin',
    ...(typeof callback === 'string' && { url: callback }),
    consent: {
      status: 200,
      headers: {
        allow: 'POST',
        'webhook-allowed-origin': origin,
        'webhook-allowed-rate': typeof rate === 'string' ? rate : '*',
      },
    },
    refusal: { status: 405, headers: { allow: 'POST' } },
  };
}
