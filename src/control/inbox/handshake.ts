import type { Answer } from '../../kernel/http/index.ts';
import { parseJson } from '../../kernel/values/index.ts';
import type { Behaviour, Handshake } from './collections.ts';

/** What is looked at to tell a handshake from a message. */
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
  /** What says no. */
  readonly refusal: Answer;
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/**
 * A request that only asks whether this receiver wants to be sent to, and the answer to it. Told to ignore handshakes, an
 * inbox takes one for a message like any other.
 */
export function shakeHands(
  incoming: Incoming,
  wish: Behaviour['handshake'] = 'answer',
): { handshake: Handshake; answer: Answer } | undefined {
  const asked = askedByToken(incoming) ?? askedByCode(incoming) ?? askedByOrigin(incoming);
  if (!asked || wish === 'ignore') return undefined;
  const { kind, url, consent, refusal } = asked;
  const handshake = { kind, answered: wish === 'answer', ...(url !== undefined && { url }) };
  if (wish === 'answer') return { handshake, answer: consent };
  // By hand: neither yes nor no for now, the recorded request says where to go to agree.
  return { handshake, answer: wish === 'manual' ? { status: 200 } : refusal };
}

/** Business webhooks: the token of the query, as plain text. */
function askedByToken({ query }: Incoming): Asked | undefined {
  const token = query.validationToken ?? query.validationtoken;
  if (typeof token !== 'string') return undefined;
  const consent = { status: 200, headers: TEXT, body: token };
  return { kind: 'validationToken', consent, refusal: { status: 400 } };
}

/** The native schema of events: a code in the body, to be sent back. */
function askedByCode({ method, headers, body }: Incoming): Asked | undefined {
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

/** Web hooks of CloudEvents: the sender names itself and the rate it would like. */
function askedByOrigin({ method, headers }: Incoming): Asked | undefined {
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
