import { mailDate } from '../smtp/received-header.ts';

export interface MissingHeaders {
  readonly from: string;
  readonly date: number;
  readonly messageId: string;
}

/** Prepares a client's complete mail for sending: lines end with CRLF, missing mandatory header fields are added, and Bcc is removed. */
export function sentForm(raw: Buffer, { from, date, messageId }: MissingHeaders): Buffer {
  const text = raw.toString('latin1').replace(/\r\n?|\n/g, '\r\n');
  const end = text.indexOf('\r\n\r\n');
  const [head, rest] = end < 0 ? [text.replace(/\r\n$/, ''), '\r\n\r\n'] : [text.slice(0, end), text.slice(end)];
  const kept = fieldsIn(head).filter((field) => !/^bcc[ \t]*:/i.test(field));
  const has = (name: string): boolean =>
    kept.some((field) => field.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  const added = [
    ...(has('from') ? [] : [`From: ${from}`]),
    ...(has('date') ? [] : [`Date: ${mailDate(date)}`]),
    ...(has('message-id') ? [] : [`Message-ID: ${messageId}`]),
    ...(has('mime-version') ? [] : ['MIME-Version: 1.0']),
  ];
  return Buffer.from([...kept, ...added].join('\r\n') + rest, 'latin1');
}

/** Header fields with their continuation lines. */
function fieldsIn(head: string): string[] {
  const fields: string[] = [];
  for (const line of head.split('\r\n')) {
    const last = fields.length - 1;
    if (/^[ \t]/.test(line) && last >= 0) fields[last] += `\r\n${line}`;
    else if (line !== '') fields.push(line);
  }
  return fields;
}
