/** A reply of the server: the code, the enhanced status code of RFC 3463 if the reply has one, and the text. */
export interface Reply {
  readonly code: number;
  readonly enhanced?: string;
  /** An array is a multi-line reply. */
  readonly text: string | readonly string[];
}

export function reply(code: number, enhanced: string, text: string): Reply {
  return { code, enhanced, text };
}

/** Ends the session: the reply is sent, and nothing more is read. */
export class Goodbye extends Error {
  readonly reply: Reply;

  constructor(code: number, enhanced: string, text: string) {
    super(text);
    this.name = 'Goodbye';
    this.reply = reply(code, enhanced, text);
  }
}

/** Reply texts quote clients and services, so they are cut and kept to one line. */
const LONGEST_TEXT = 400;

export function rendered({ code, enhanced, text }: Reply): string {
  const lines = typeof text === 'string' ? [text] : text;
  const status = enhanced === undefined ? '' : `${enhanced} `;
  return lines
    .map((line, index) => `${code}${index < lines.length - 1 ? '-' : ' '}${status}${printable(line)}\r\n`)
    .join('');
}

const printable = (line: string): string => line.slice(0, LONGEST_TEXT).replace(/[^\x20-\x7e]/g, '?');
