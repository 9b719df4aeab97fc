import { isAscii, parsePath } from './address.ts';
import { type Reply, reply } from './reply.ts';

export interface Command {
  /** Upper case. */
  readonly verb: string;
  /** The text after the verb, trimmed. */
  readonly argument: string;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns undefined if the bytes are not valid text. */
export function parseCommand(line: Buffer): Command | undefined {
  let text: string;
  try {
    text = UTF8.decode(line);
  } catch {
    return undefined;
  }
  const blank = text.indexOf(' ');
  if (blank < 0) return { verb: text.toUpperCase(), argument: '' };
  return { verb: text.slice(0, blank).toUpperCase(), argument: text.slice(blank + 1).trim() };
}

/** True for an HTTP request, which a browser may have been tricked into sending here. Its body would be read as commands. */
export const isHttp = (line: Buffer): boolean => /^[A-Z]+ \S* HTTP\/\d/i.test(line.toString('latin1', 0, 2048));

export interface PathCommand {
  readonly address: string;
  readonly smtpUtf8: boolean;
  /** Size of the message as the client declares it. */
  readonly size?: number;
}

const MISSING_PATH = {
  FROM: reply(501, '5.5.4', 'Syntax: MAIL FROM:<address>'),
  TO: reply(501, '5.5.4', 'Syntax: RCPT TO:<address>'),
} as const;
const BAD_ADDRESS = {
  FROM: reply(553, '5.1.7', 'The sender is not a valid address'),
  TO: reply(553, '5.1.3', 'The recipient is not a valid address'),
} as const;
const NEEDS_UTF8 = {
  FROM: reply(550, '5.6.7', 'The address needs the parameter SMTPUTF8'),
  TO: reply(553, '5.6.7', 'The address needs SMTPUTF8 with MAIL'),
} as const;

/** Parses the argument of MAIL or RCPT; returns a reply if it is invalid. `allowsUtf8` is SMTPUTF8 of MAIL, for its recipients. */
export function parsePathCommand(
  keyword: 'FROM' | 'TO',
  argument: string,
  allowsUtf8 = false,
): PathCommand | { readonly refusal: Reply } {
  const start = /^(FROM|TO):[ \t]*/i.exec(argument);
  if (start?.[1]?.toUpperCase() !== keyword) return { refusal: MISSING_PATH[keyword] };
  const text = argument.slice(start[0].length);
  if (!text.startsWith('<')) return { refusal: MISSING_PATH[keyword] };
  const path = parsePath(text);
  if (!path || (keyword === 'TO' && path.address === '')) return { refusal: BAD_ADDRESS[keyword] };
  const parameters = keyword === 'FROM' ? mailParameters(path.rest) : noParameters(path.rest);
  if ('refusal' in parameters) return parameters;
  const smtpUtf8 = allowsUtf8 || parameters.smtpUtf8;
  if (!smtpUtf8 && !isAscii(path.address)) return { refusal: NEEDS_UTF8[keyword] };
  return { address: path.address, ...parameters, smtpUtf8 };
}

type Parameters = Omit<PathCommand, 'address'> | { readonly refusal: Reply };

const words = (rest: string): readonly string[] => rest.split(/[ \t]+/).filter((word) => word !== '');
const unknown = (word: string): Parameters => ({ refusal: reply(555, '5.5.4', `Unknown parameter ${word}`) });
const bad = (text: string): Parameters => ({ refusal: reply(501, '5.5.4', text) });

function noParameters(rest: string): Parameters {
  const [first] = words(rest);
  return first === undefined ? { smtpUtf8: false } : unknown(first);
}

function mailParameters(rest: string): Parameters {
  // A blank must separate the path from the first parameter.
  if (rest !== '' && !/^[ \t]/.test(rest)) return bad('Syntax: MAIL FROM:<address> [parameters]');
  const seen = new Set<string>();
  let size: number | undefined;
  let smtpUtf8 = false;
  for (const word of words(rest)) {
    const equals = word.indexOf('=');
    const name = (equals < 0 ? word : word.slice(0, equals)).toUpperCase();
    const value = equals < 0 ? undefined : word.slice(equals + 1);
    if (seen.has(name)) return bad(`The parameter ${name} is repeated`);
    seen.add(name);
    if (name === 'SIZE') {
      // RFC 1870: up to 20 digits.
      if (value === undefined || !/^\d{1,20}$/.test(value)) return bad('SIZE must be a number of bytes');
      size = Number(value);
    } else if (name === 'BODY') {
      if (!/^(?:7BIT|8BITMIME)$/i.test(value ?? '')) return bad('BODY must be 7BIT or 8BITMIME');
    } else if (name === 'SMTPUTF8') {
      if (value !== undefined) return bad('SMTPUTF8 has no value');
      smtpUtf8 = true;
    } else {
      return unknown(word);
    }
  }
  return { smtpUtf8, ...(size !== undefined && { size }) };
}
