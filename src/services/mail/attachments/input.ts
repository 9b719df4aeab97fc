import { isObject } from '../../../kernel/values/index.ts';
import { anyObject, flag, list, mistake, nullable, object, type Read, readOnly, text, word } from '../api/fields.ts';
import { errors } from '../errors.ts';
import { type MessageInput, messageInput } from '../messages/input.ts';
import { checkEvent } from './attached-event.ts';
import { fromBase64 } from './base64.ts';
import { isMediaType, typeOfName } from './content-type.ts';
import { DEEPEST_ITEM, MOST_ATTACHMENTS, SMALLEST_UPLOAD_BYTES } from './limits.ts';
import type { ItemType, Reference } from './types.ts';

/** Validates attachments from clients, with a message or an event or one by one. */

interface Named {
  readonly name: string;
  readonly isInline: boolean;
}

export interface NewFile extends Named {
  readonly kind: 'file';
  readonly contentType: string;
  readonly contentId?: string;
  readonly contentLocation?: string;
  readonly bytes: Buffer;
}

export interface NewReference extends Named {
  readonly kind: 'reference';
  readonly contentType: string | null;
  readonly reference: Reference;
}

export interface NewItemAttachment extends Named {
  readonly kind: 'item';
  readonly contentType: string | null;
  readonly item: NewItem;
}

export type NewItem = { readonly attachments: readonly NewAttachment[] } & (
  | { readonly type: 'message'; readonly input: MessageInput }
  | { readonly type: 'event' | 'contact'; readonly sent: Readonly<Record<string, unknown>> }
);

export type NewAttachment = NewFile | NewReference | NewItemAttachment;

const line =
  (longest: number): Read<string> =>
  (value, at) => {
    const found = text({ longest })(value, at);
    if (/[\p{Cc}\u2028\u2029]/u.test(found)) throw mistake(at, 'control characters are not allowed');
    return found;
  };

/** File names are limited to the length that file systems allow. */
export const attachmentName = line(255);
export const contentIdText = nullable(line(500));
export const mediaType: Read<string | null> = (value, at) => {
  const found = nullable(line(255))(value, at);
  if (found === null || found === '') return null;
  if (!isMediaType(found)) throw mistake(at, `'${found.slice(0, 60)}' is not a media type`);
  return found;
};

const COMMON = {
  ...readOnly(['id', 'size', 'lastModifiedDateTime']),
  name: attachmentName,
  contentType: mediaType,
  isInline: nullable(flag),
};

const fileFields = object('fileAttachment', {
  ...COMMON,
  contentBytes: text({ longest: 2 * SMALLEST_UPLOAD_BYTES }),
  contentId: contentIdText,
  contentLocation: nullable(line(2000)),
});

const PROVIDERS = ['other', 'oneDriveBusiness', 'oneDriveConsumer', 'dropbox'] as const;
const PERMISSIONS = [
  'other',
  'view',
  'edit',
  'anonymousView',
  'anonymousEdit',
  'organizationView',
  'organizationEdit',
] as const;

const address: Read<string> = (value, at) => {
  const found = line(4000)(value, at);
  if (!/^https?:$/.test(URL.parse(found)?.protocol ?? '')) throw mistake(at, 'an http or https URL is expected');
  return found;
};

const referenceFields = object('referenceAttachment', {
  ...COMMON,
  sourceUrl: address,
  providerType: nullable(word(PROVIDERS)),
  permission: nullable(word(PERMISSIONS)),
  isFolder: nullable(flag),
  previewUrl: nullable(address),
  thumbnailUrl: nullable(address),
});

const itemFields = object('itemAttachment', { ...COMMON, item: anyObject });

function readFile(value: unknown, at: string): NewFile {
  const { contentBytes, ...sent } = fileFields(value, at);
  const name = required(sent.name, within(at, 'name'));
  const bytes = fromBase64(required(contentBytes, within(at, 'contentBytes')));
  if (!bytes) throw mistake(within(at, 'contentBytes'), 'it is not base64');
  if (bytes.length >= SMALLEST_UPLOAD_BYTES)
    throw errors.RequestEntityTooLarge(
      { what: `The file '${name}'`, maximum: SMALLEST_UPLOAD_BYTES - 1 },
      { target: within(at, 'contentBytes') },
    );
  return {
    kind: 'file',
    name,
    contentType: sent.contentType ?? typeOfName(name),
    isInline: sent.isInline ?? false,
    ...(sent.contentId && { contentId: sent.contentId }),
    ...(sent.contentLocation && { contentLocation: sent.contentLocation }),
    bytes,
  };
}

function readReference(value: unknown, at: string): NewReference {
  const sent = referenceFields(value, at);
  return {
    kind: 'reference',
    name: required(sent.name, within(at, 'name')),
    contentType: sent.contentType ?? null,
    isInline: sent.isInline ?? false,
    reference: {
      sourceUrl: required(sent.sourceUrl, within(at, 'sourceUrl')),
      providerType: sent.providerType ?? 'other',
      permission: sent.permission ?? 'other',
      isFolder: sent.isFolder ?? false,
      previewUrl: sent.previewUrl ?? null,
      thumbnailUrl: sent.thumbnailUrl ?? null,
    },
  };
}

function readItem(value: unknown, at: string, depth: number): NewItemAttachment {
  const sent = itemFields(value, at);
  const inner = required(sent.item, within(at, 'item'));
  if (depth >= DEEPEST_ITEM)
    throw mistake(within(at, 'item'), `items can be nested at most ${DEEPEST_ITEM} levels deep`);
  return {
    kind: 'item',
    name: required(sent.name, within(at, 'name')),
    contentType: sent.contentType ?? null,
    isInline: sent.isInline ?? false,
    item: readInner(inner, within(at, 'item'), depth + 1),
  };
}

function readInner(sent: Readonly<Record<string, unknown>>, at: string, depth: number): NewItem {
  const type = itemTypeOf(sent, at);
  if (type === 'message') {
    const input = messageInput(sent, at);
    return { type, input, attachments: readNested(input.attachments, at, depth) };
  }
  if (type === 'event') checkEvent(sent, at);
  const members = Object.entries(sent).filter(([name]) => !name.includes('@'));
  const [files, rest] = [true, false].map((isFiles) =>
    members.filter(([name]) => (name.toLowerCase() === 'attachments') === isFiles),
  );
  const attachments = list(anyObject, MOST_ATTACHMENTS)(files?.[0]?.[1] ?? [], within(at, 'attachments'));
  return { type, sent: Object.fromEntries(rest ?? []), attachments: readNested(attachments, at, depth) };
}

const readNested = (sent: readonly unknown[] = [], at: string, depth: number): readonly NewAttachment[] =>
  sent.map((each, index) => readAttachment(each, within(at, `attachments[${index}]`), depth));

const NAMESPACES = '#?(?:(?:microsoft|vendor)\\.graph|microsoft\\.outlookservices)\\.';
const ATTACHMENT_TYPE = new RegExp(`^${NAMESPACES}(file|item|reference)attachment$`, 'i');
const ITEM_TYPE = new RegExp(`^${NAMESPACES}(message|eventmessage\\w*|event|contact)$`, 'i');

/** Validates one attachment; `@odata.type` names its type. */
export function readAttachment(value: unknown, at = '', depth = 0): NewAttachment {
  if (!isObject(value)) throw mistake(at || 'body', 'an object is expected');
  const type = annotatedType(value);
  const kind = ATTACHMENT_TYPE.exec(type)?.[1]?.toLowerCase();
  if (kind === 'file') return readFile(value, at);
  if (kind === 'reference') return readReference(value, at);
  if (kind === 'item') return readItem(value, at, depth);
  const reason = `'@odata.type' must be #microsoft.graph.fileAttachment, #microsoft.graph.itemAttachment or #microsoft.graph.referenceAttachment${type === '' ? '' : `, not '${type.slice(0, 100)}'`}`;
  throw errors.UnableToDeserializePostBody({ reason }, { target: within(at, '@odata.type') });
}

/** Validates the attachments of a message or an event. */
export function readAttachments(
  sent: readonly Readonly<Record<string, unknown>>[] | undefined,
  at = 'attachments',
): readonly NewAttachment[] {
  return (sent ?? []).map((each, index) => readAttachment(each, `${at}[${index}]`));
}

function itemTypeOf(sent: Readonly<Record<string, unknown>>, at: string): ItemType {
  const type = ITEM_TYPE.exec(annotatedType(sent))?.[1]?.toLowerCase();
  if (type === 'event' || type === 'contact') return type;
  if (type !== undefined) return 'message';
  const reason = `'@odata.type' of an attached item must be #microsoft.graph.message, #microsoft.graph.event or #microsoft.graph.contact`;
  throw errors.UnableToDeserializePostBody({ reason }, { target: within(at, '@odata.type') });
}

/** Samples in the documentation write the annotation in several ways. */
function annotatedType(value: Readonly<Record<string, unknown>>): string {
  const type = Object.entries(value).find(([name]) => /^@?odata\.type$/i.test(name))?.[1];
  return typeof type === 'string' ? type : '';
}

const within = (at: string, name: string): string => (at === '' ? name : `${at}/${name}`);

function required<T>(value: T | undefined, at: string): T {
  if (value === undefined || value === '') throw mistake(at, 'it is required');
  return value;
}
