import { boolean, type Collection, collection, number, text } from '../../kernel/store/index.ts';
import { withoutSecretMembers } from '../../kernel/telemetry/index.ts';

/** The three handshakes by which senders ask a receiver for its consent. */
export type HandshakeKind = 'validationCode' | 'allowedOrigin' | 'validationToken';

export interface Handshake {
  readonly kind: HandshakeKind;
  readonly answered: boolean;
  /** Where to consent manually, if the sender offers that. */
  readonly url?: string;
}

export interface InboxRequest {
  readonly inbox: string;
  /** Starts at 1 for the inbox and has no gaps. */
  readonly number: number;
  /** By the jar's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The values of secret headers and parameters, sealed: the store never contains them in clear text. */
  readonly secrets?: string;
  readonly body: string;
  readonly bodyEncoding: 'utf8' | 'base64';
  /** Size as received; less may be kept. */
  readonly bodyBytes: number;
  readonly truncated: boolean;
  readonly handshake?: Handshake;
  readonly answered: { readonly status: number; readonly delayMs?: number };
  /** Approximate size in the store. */
  readonly size: number;
}

export interface Behaviour {
  /** The first `times` requests get this status. */
  readonly fail?: { readonly times: number; readonly status: number };
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Real time. */
  readonly delayMs?: number;
  readonly handshake?: 'answer' | 'ignore' | 'refuse' | 'manual';
}

export interface Inbox {
  readonly name: string;
  /** Number of the next request. */
  readonly next: number;
  readonly kept: number;
  readonly bytes: number;
  readonly createdAt: number;
  readonly lastAt: number | null;
  readonly behaviour?: Behaviour;
  /** Number of requests that failed since the behaviour was set. */
  readonly failed: number;
}

/** Cached, because changes of cached collections are announced to every node, which notifies the live streams there. */
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
    afterwards: 'They are removed from the stored requests',
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
