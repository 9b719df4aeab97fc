import { base64Lines, foldHeader, isAscii, parameter, quotedPrintable } from './encode.ts';
import type { OutgoingAttachment } from './types.ts';

/** A MIME entity ready to be written: its own headers, and its body in transfer encoding. */
export interface Entity {
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const CRLF = Buffer.from('\r\n');

const withCrlf = (text: string): string => text.replace(/\r\n|\r|\n/g, '\r\n');

/** A text part: unencoded if it consists of short ASCII lines, base64 if most of it is not ASCII, otherwise quoted-printable. */
export function textEntity(type: string, text: string): Entity {
  const lines = withCrlf(text);
  const contentType = header('Content-Type', `${type}; charset="utf-8"`);
  if (isAscii(text) && !/[^\r\n]{77}|[^\t\r\n -~]|[ \t]\r\n/.test(lines)) {
    return { headers: [contentType, header('Content-Transfer-Encoding', '7bit')], body: Buffer.from(lines) };
  }
  const octets = Buffer.byteLength(lines);
  if (octets > lines.length * 1.25) {
    return {
      headers: [contentType, header('Content-Transfer-Encoding', 'base64')],
      body: base64Lines(Buffer.from(lines)),
    };
  }
  return {
    headers: [contentType, header('Content-Transfer-Encoding', 'quoted-printable')],
    body: quotedPrintable(lines),
  };
}

/** In Outlook's format: method and charset as parameters, and base64, so that no gateway changes a line. */
export function calendarEntity(method: string, text: string): Entity {
  return {
    headers: [
      header('Content-Type', `text/calendar; charset="utf-8"; method=${method}`),
      header('Content-Transfer-Encoding', 'base64'),
    ],
    body: base64Lines(Buffer.from(text)),
  };
}

export function attachmentEntity(attachment: OutgoingAttachment): Entity {
  const { contentType, contentId, contentLocation, isInline, name } = attachment;
  const { encoding, body } = attachment.isMessage
    ? messageBody(attachment.bytes)
    : { encoding: 'base64', body: base64Lines(attachment.bytes) };
  return {
    headers: [
      header('Content-Type', `${contentType}; ${parameter('name', name)}`),
      header('Content-Disposition', `${isInline ? 'inline' : 'attachment'}; ${parameter('filename', name)}`),
      ...(contentId === undefined ? [] : [header('Content-ID', `<${contentId}>`)]),
      ...(contentLocation === undefined ? [] : [header('Content-Location', contentLocation)]),
      header('Content-Transfer-Encoding', encoding),
    ],
    body,
  };
}

/** RFC 2046 forbids transfer encodings for embedded messages. Line breaks become CRLF, the only line break in SMTP. */
function messageBody(bytes: Buffer): { readonly encoding: string; readonly body: Buffer } {
  const text = bytes.toString('latin1');
  return { encoding: isAscii(text) ? '7bit' : '8bit', body: Buffer.from(withCrlf(text), 'latin1') };
}

export const header = (name: string, value: string): string => foldHeader(name, value);

/** Joins entities into a multipart. The boundary is chosen so that it occurs in no part. */
export function multipart(kind: string, parts: readonly Entity[], id: string, parameters = ''): Entity {
  const written = parts.map((part) => Buffer.concat([Buffer.from(part.headers.join('')), CRLF, part.body]));
  let boundary = `=_${kind}_${id}`;
  while (written.some((part) => part.includes(boundary))) boundary += '_';
  const delimiter = Buffer.from(`--${boundary}\r\n`);
  const body = Buffer.concat([
    ...written.flatMap((part) => [delimiter, part, CRLF]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { headers: [header('Content-Type', `multipart/${kind}; boundary="${boundary}"${parameters}`)], body };
}
