import { LONGEST_BODY, LONGEST_NAME } from './bounds.ts';
import { decodeBytes } from './charset.ts';
import { flowedText } from './flowed.ts';
import { decodedValue, rawValue } from './headers.ts';
import { oneLine, optional } from './one-line.ts';
import { parseStructured, type StructuredValue, textParameter } from './parameters.ts';
import type { MimePart } from './structure.ts';
import { htmlToText, textToHtml } from './text.ts';
import { decodeTransfer } from './transfer.ts';
import type { CalendarPart, MailAttachment } from './types.ts';

export interface MailContents {
  readonly text?: string;
  readonly html?: string;
  readonly attachments: readonly MailAttachment[];
  readonly calendars: readonly CalendarPart[];
}

/** One body as plain text, HTML or both. */
interface Body {
  readonly text?: string;
  readonly html?: string;
  /** Any other text type (text/enriched, or the HTML dialects for watches and AMP); shown only if the body has no text and no HTML. */
  readonly other?: string;
}

interface PartContext {
  readonly isAlternative: boolean;
  readonly isRelated: boolean;
  readonly isRoot: boolean;
}

const CR = 0x0d;
const LF = 0x0a;

const CALENDAR_TYPES = new Set(['text/calendar', 'application/ics', 'text/x-vcalendar', 'application/calendar']);

/** Sorts the leaves of a message into bodies, attachments and calendars. */
export function readContents(root: MimePart): MailContents {
  const attachments: MailAttachment[] = [];
  const calendars: CalendarPart[] = [];

  const walk = (part: MimePart, around: PartContext): Body[] => {
    const type = part.contentType.value;
    if (part.children.length === 0) return leaf(part, around);
    const isAlternative = around.isAlternative || type === 'multipart/alternative';
    const isRelated = around.isRelated || type === 'multipart/related';
    const bodies = part.children.flatMap((child) => walk(child, { isAlternative, isRelated, isRoot: false }));
    return type === 'multipart/alternative' ? [oneOf(bodies)] : bodies;
  };

  const leaf = (part: MimePart, around: PartContext): Body[] => {
    const disposition = parseStructured(rawValue(part.headers, 'content-disposition') ?? '');
    const name = nameIn(part.contentType, disposition);
    // A multipart without parts has lost its boundary. Its content is shown as text rather than dropped.
    const type = part.contentType.value.startsWith('multipart/') ? 'text/plain' : part.contentType.value;
    const isBodyText = type === 'text/plain' || type === 'text/html';
    const isFile = disposition.value === 'attachment' || (name !== '' && !around.isAlternative && !around.isRoot);
    const bytes = decodeTransfer(part.body, rawValue(part.headers, 'content-transfer-encoding') ?? '');
    if (isBodyText && !isFile) return [bodyOf(bytes, type, part.contentType)];
    const isCalendar = CALENDAR_TYPES.has(type);
    if (around.isAlternative && type.startsWith('text/') && !isCalendar && !isFile) {
      return [{ other: decodeBytes(bytes, part.contentType.parameters.get('charset')) }];
    }
    const isOnlyCalendar = type === 'text/calendar' && !isFile;
    const attachment = isOnlyCalendar
      ? undefined
      : attachmentOf(part, type, disposition, name, bytes, around, attachments.length);
    if (attachment) attachments.push(attachment);
    if (isCalendar) calendars.push(calendarOf(part.contentType, disposition, name, bytes, around, attachment));
    return [];
  };

  const bodies = walk(root, { isAlternative: false, isRelated: false, isRoot: true });
  return { ...joined(bodies), attachments, calendars };
}

function bodyOf(bytes: Buffer, type: string, { parameters }: StructuredValue): Body {
  const charset = parameters.get('charset');
  // No charset uses more than four bytes for a character.
  const text = decodeBytes(withLineFeeds(bytes.subarray(0, LONGEST_BODY * 4), charset), charset).replaceAll('\0', '');
  if (type === 'text/html') return { html: text };
  const isFlowed = parameters.get('format')?.toLowerCase() === 'flowed';
  return { text: isFlowed ? flowedText(text, parameters.get('delsp')?.toLowerCase() === 'yes') : text };
}

/**
 * Replaces CRLF and CR by LF. Works on bytes, since a string of nothing but line breaks takes seconds. UTF-16 text keeps its line breaks;
 * HTML and previews collapse them.
 */
function withLineFeeds(bytes: Buffer, charset: string | undefined): Buffer {
  if (/^utf-?16/i.test(charset ?? '') || !bytes.includes(CR)) return bytes;
  const lines = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte !== CR) lines[length++] = byte;
    else if (bytes[at + 1] !== LF) lines[length++] = LF;
  }
  return lines.subarray(0, length);
}

/**
 * Merges the alternatives of one body. If there are several HTML alternatives, the last one is used: RFC 2046 orders them by increasing
 * fidelity.
 */
function oneOf(bodies: readonly Body[]): Body {
  const texts = bodies.map((body) => body.text).filter((text) => text !== undefined);
  const html = bodies.findLast((body) => body.html !== undefined)?.html;
  const other = bodies.find((body) => body.other !== undefined)?.other;
  if (texts.length === 0 && html === undefined) return optional('text', other);
  return { ...optional('text', texts.length === 0 ? undefined : texts.join('\n')), ...optional('html', html) };
}

/** Concatenates bodies. A body that lacks a form (text or HTML) that the mail has is converted to it. */
function joined(bodies: readonly Body[]): Body {
  const hasText = bodies.some((body) => body.text !== undefined);
  const hasHtml = bodies.some((body) => body.html !== undefined);
  const text = () => bodies.map((body) => body.text ?? htmlToText(body.html ?? '')).join('\n');
  const html = () => bodies.map((body) => body.html ?? textToHtml(body.text ?? '')).join('\n');
  return { ...(hasText ? { text: bounded(text()) } : {}), ...(hasHtml ? { html: bounded(html()) } : {}) };
}

/** Cuts a text to `LONGEST_BODY` without splitting a surrogate pair. */
const bounded = (text: string): string =>
  text.length <= LONGEST_BODY ? text : text.slice(0, LONGEST_BODY).replace(/[\ud800-\udbff]$/, '');

/** The file name without a path and control characters, cut to the length that file systems accept. */
function nameIn(contentType: StructuredValue, disposition: StructuredValue): string {
  const written = oneLine(textParameter(disposition, 'filename') || textParameter(contentType, 'name'));
  const name = written.slice(Math.max(written.lastIndexOf('/'), written.lastIndexOf('\\')) + 1).trim();
  return name === '.' || name === '..' ? '' : name.slice(-LONGEST_NAME);
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/html': 'htm',
  'text/calendar': 'ics',
  'application/ics': 'ics',
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'message/rfc822': 'eml',
  'message/delivery-status': 'txt',
};

function attachmentOf(
  part: MimePart,
  type: string,
  disposition: StructuredValue,
  name: string,
  bytes: Buffer,
  around: PartContext,
  position: number,
): MailAttachment {
  const contentId = oneLine(rawValue(part.headers, 'content-id') ?? '').replace(/^<|>$/g, '');
  const contentLocation = oneLine(decodedValue(part.headers, 'content-location') ?? '');
  const isReferenced = contentId !== '' || contentLocation !== '';
  const isShown = disposition.value === 'inline' || (around.isRelated && disposition.value !== 'attachment');
  return {
    name: name || `ATT${String(position + 1).padStart(5, '0')}.${EXTENSIONS[type] ?? 'bin'}`,
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
    ...(contentId === '' ? {} : { contentId }),
    ...(contentLocation === '' ? {} : { contentLocation }),
    isInline: isReferenced && isShown,
    bytes,
    isMessage: type === 'message/rfc822' || type === 'message/global',
  };
}

function calendarOf(
  contentType: StructuredValue,
  disposition: StructuredValue,
  name: string,
  bytes: Buffer,
  around: PartContext,
  attachment: MailAttachment | undefined,
): CalendarPart {
  const method = contentType.parameters.get('method')?.trim().toUpperCase();
  const charset = contentType.parameters.get('charset')?.trim().toLowerCase();
  return {
    bytes,
    contentType: contentType.value,
    ...(method ? { method } : {}),
    ...(charset ? { charset } : {}),
    ...(name === '' ? {} : { name }),
    isAlternative: around.isAlternative,
    isAttachment: disposition.value === 'attachment',
    ...(attachment ? { attachment } : {}),
  };
}
