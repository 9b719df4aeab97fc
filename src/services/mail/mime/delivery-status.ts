import { foldHeader, isAscii } from './encode.ts';
import { type Entity, header, multipart, textEntity } from './entity.ts';

/** Non-delivery reports (RFC 3462, RFC 3464). */

export type StatusField = readonly [name: string, value: string];

export interface DeliveryReport {
  /** The first group is about the whole mail, each further group about one recipient. */
  readonly groups: readonly (readonly StatusField[])[];
  /** The header of the undelivered mail, as it was sent. */
  readonly originalHeader: string;
}

/** Three parts: the text for people, the fields for programs, and the original header, by which the sender identifies the mail. */
export const reportEntity = (text: string, { groups, originalHeader }: DeliveryReport, boundary: string): Entity =>
  multipart(
    'report',
    [textEntity('text/plain', text), statusEntity(groups), textEntity('text/rfc822-headers', originalHeader)],
    boundary,
    '; report-type=delivery-status',
  );

const statusEntity = (groups: DeliveryReport['groups']): Entity => ({
  headers: [header('Content-Type', 'message/delivery-status'), header('Content-Transfer-Encoding', '7bit')],
  body: Buffer.from(
    groups.map((fields) => fields.map(([name, value]) => foldHeader(name, oneAsciiLine(value))).join('')).join('\r\n'),
  ),
});

const LONGEST_VALUE = 900;

/** Responses of relays are untrusted text. */
const oneAsciiLine = (value: string): string =>
  value
    .replace(/\s+/g, ' ')
    .replace(/[^ -~]/g, '?')
    .slice(0, LONGEST_VALUE)
    .trim();

/** `rfc822; eve@fabrikam.example`. Non-ASCII characters are written as code points (RFC 6533). */
export function recipientValue(address: string): string {
  if (isAscii(address)) return `rfc822; ${address}`;
  const written = Array.from(address, (sign) =>
    isAscii(sign) && sign !== '\\' ? sign : `\\x{${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  ).join('');
  return `utf-8; ${written}`;
}
