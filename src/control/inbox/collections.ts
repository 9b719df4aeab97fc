import { boolean, type Collection, collection, number, text } from '../../kernel/store/index.ts';
import { withoutSecretMembers } from './secret-members.ts';

/** The three ways in which senders ask a receiver whether it wants to be sent to. */
export type HandshakeKind = 'validationCode' | 'allowedOrigin' | 'validationToken';

export interface Handshake {
  readonly kind: HandshakeKind;
  readonly answered: boolean;
  /** Where to go to agree by hand, if the sender offers that. */
  readonly url?: string;
}

export interface InboxRequest {
  readonly inbox: string;
  /** 1 for the first that the inbox ever got, with no gaps. */
  readonly number: number;
  /** By the jar's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The values of headers and parameters that are secrets, sealed: the store never holds one in the clear. */
  readonly secrets?: string;
  readonly body: string;
  readonly bodyEncoding: 'utf8' | 'base64';
  /** As it came; less may be kept. */
  readonly bodyBytes: number;
  readonly truncated: boolean;
  readonly handshake?: Handshake;
  readonly answered: { readonly status: number; readonly delayMs?: number };
  /** What it takes in the store, about. */
  readonly size: number;
}

export interface Behaviour {
  /** The first so many requests get this status. */
  readonly fail?: { readonly times: number; readonly status: number };
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of real time. */
  readonly delayMs?: number;
  readonly handshake?: 'answer' | 'ignore' | 'refuse' | 'manual';
}

export interface Inbox {
  readonly name: string;
  /** The number of the next request. */
  readonly next: number;
  readonly kept: number;
  readonly bytes: number;
  readonly createdAt: number;
  readonly lastAt: number | null;
  readonly behaviour?: Behaviour;
  /** How many requests have failed since the behaviour was set. */
  readonly failed: number;
}

/** Marked as cached so that every node, and the live streams on it, hear of each request. */
export const inboxes = collection<Inbox>('inbox.inboxes', { cached: true });

export const inboxRequests = collection<InboxRequest>('inbox.requests', {
  fields: {
    method: text((request) => request.method),
    path: text((request) => request.path),
    status: number((request) => request.answered.status),
    handshake: boolean((request) => request.handshake !== undefined),
  },
  secrets: {
    what: 'secret headers, parameters and members of bodies of requests in inboxes',
    afterwards: 'They are gone from the requests that were kept',
    remove: (request) => {
      const { secrets, ...rest } = request;
      const body = rest.bodyEncoding === 'utf8' ? withoutSecretMembers(rest.body) : rest.body;
      return secrets === undefined && body === request.body ? request : { ...rest, body };
    },
  },
});

const DIGITS = 16;

export const requestKey = (inbox: string, number: number): string => `${inbox}/${String(number).padStart(DIGITS, '0')}`;

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const inboxCollections: readonly Collection<any>[] = [inboxes, inboxRequests];
