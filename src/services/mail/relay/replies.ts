import { failureOf } from '../../../kernel/delivery/index.ts';
import type { RecipientReply, RelayFailure } from './types.ts';

/** An error of the library; every property can be missing. */
export interface RelayError extends Error {
  readonly code?: string | undefined;
  /** The system's error code, if the library has replaced it in `code`. */
  readonly originalCode?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
  readonly command?: string | undefined;
  readonly recipient?: string | undefined;
}

export type Judgement = Omit<RecipientReply, 'address'>;

const LONGEST_TEXT = 1000;
/**
 * A reply to one of these commands is about the message. An earlier reply is about the connection, and says nothing about the next attempt.
 */
const ABOUT_MESSAGE = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
/** Bad sequence of commands: an error of the session, not of the message. */
const OUT_OF_ORDER = 503;

export const isRelayError = (error: unknown): error is RelayError => error instanceof Error;

/** Parses a reply of the relay: `550 5.1.1 No such user`, also with several lines. */
export function parseResponse(response: string): Pick<Judgement, 'code' | 'enhancedCode' | 'text'> {
  const lines = response
    .split(/\r?\n/)
    .map((line) => /^(\d{3})[ -]?(?:([245]\.\d{1,3}\.\d{1,3})(?: |$))?(.*)$/.exec(line));
  const [first] = lines;
  const text = lines
    .map((line, index) => line?.[3] ?? response.split(/\r?\n/)[index] ?? '')
    .join(' ')
    .trim()
    .slice(0, LONGEST_TEXT);
  return {
    text,
    ...(first && { code: Number(first[1]) }),
    ...(first?.[2] !== undefined && { enhancedCode: first[2] }),
  };
}

export function judge(error: RelayError): Judgement {
  const { response, responseCode, command = '' } = error;
  if (response !== undefined && responseCode !== undefined) {
    const isFinal = responseCode >= 500 && responseCode !== OUT_OF_ORDER && ABOUT_MESSAGE.has(command);
    return { is: isFinal ? 'refused' : 'later', ...parseResponse(response) };
  }
  // The library compares the size with the limit that the relay announced, without sending the command.
  if (error.code === 'EMESSAGE' && command === 'MAIL FROM') {
    return { is: 'refused', code: 552, enhancedCode: '5.3.4', text: error.message };
  }
  if (error.code === 'EENVELOPE') return { is: 'refused', text: error.message, failure: 'BadAddress' };
  return { is: 'later', text: error.message.slice(0, LONGEST_TEXT), failure: failureIn(error) };
}

const FAILURES: Readonly<Record<string, RelayFailure>> = {
  // Error codes of the library.
  EDNS: 'ResolutionError',
  ETLS: 'TlsError',
  ETIMEDOUT: 'TimedOut',
  // Outcomes of the kernel.
  ResolutionError: 'ResolutionError',
  TlsError: 'TlsError',
  TimedOut: 'TimedOut',
};

function failureIn({ code = '', originalCode = code, message }: RelayError): RelayFailure {
  const { outcome } = failureOf(Object.assign(new Error(message), { code: originalCode }));
  return FAILURES[code] ?? FAILURES[outcome] ?? 'SocketError';
}
