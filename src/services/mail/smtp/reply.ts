/** An answer of the server: the code, the enhanced status code of RFC 3463 where the reply has one, and the text. */
export interface Reply {
  readonly code: number;
  readonly enhanced?: string;
  /** Several make a reply of several lines. */
  readonly text: string | readonly string[];
}

export function reply(code: number, enhanced: string, text: string): Reply {
  return { code, enhanced, text };
}

/** Ends the conversation: the reply is sent, and nothing more is read. */
export class Goodbye extends Error {
  readonly reply: Reply;

  constructor(code: number, enhanced: string, text: string) {
    super(text);
    this.name = 'Goodbye';
    this.reply = reply(code, enhanced, text);
  }
}

/** Texts quote what clients sent and what services say, and a reply must stay a line of text. */
const LONGEST_TEXT = 400;

export function rendered({ code, enhanced, text }: Reply): string {
  const lines = typeof text === 'string' ? [text] : text;
  const status = enhanced === undefined ? '' : `${enhanced} `;
  return lines
    .map((line, index) => `${code}${index < lines.length - 1 ? '-' : ' '}${status}${printable(line)}\r\n`)
    .join('');
}

const printable = (line: string): string => line.slice(0, LONGEST_TEXT).replace(/[^\x20-\x7e]/g, '?');
