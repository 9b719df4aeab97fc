import { attachmentsOf } from '../../attachments/store.ts';
import type { Attachment } from '../../attachments/types.ts';
import { readBlobText } from '../../blobs/store.ts';
import type { MailJar } from '../../jar.ts';

/** Image formats that browsers show and that cannot contain scripts or links. SVG is excluded: it is a document. */
const SHOWN_TYPES = /^image\/(?:png|jpe?g|gif|webp|bmp)$/i;
const DATA_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,[a-z\d+/=\s]*$/i;

/**
 * Limits for one body: bytes of all images that are read, and characters of all data URLs that are embedded, since an image can be
 * referenced many times.
 */
const MOST_READ = 8 * 1024 * 1024;
const MOST_EMBEDDED = 12 * 1024 * 1024;

const REFERENCE = /cid:([^\s"'<>()]{1,500})/gi;

/** Resolves the images that a body may show. */
export class InlineImages {
  readonly #byContentId: ReadonlyMap<string, string>;
  #left = MOST_EMBEDDED;

  constructor(byContentId: ReadonlyMap<string, string> = new Map()) {
    this.#byContentId = byContentId;
  }

  /** A data URL; undefined if the source is not an attached or embedded image. */
  addressOf(source: string): string | undefined {
    const address = source.trim();
    const found = /^cid:/i.test(address) ? this.#byContentId.get(contentIdOf(address.slice(4))) : embedded(address);
    if (found === undefined || found.length > this.#left) return undefined;
    this.#left -= found.length;
    return found;
  }
}

const embedded = (address: string): string | undefined => (DATA_IMAGE.test(address) ? address : undefined);

/** Reads the attached images to which a body refers. */
export async function inlineImages({ store }: MailJar, item: string, content: string): Promise<InlineImages> {
  const named = new Set(Array.from(content.matchAll(REFERENCE), ([, id = '']) => contentIdOf(id)));
  if (named.size === 0) return new InlineImages();
  const found = new Map<string, string>();
  let read = 0;
  for (const attachment of await attachmentsOf(store, item)) {
    const { contentId, contentType, size, blob } = attachment;
    if (contentId === undefined || blob === undefined || !isImage(attachment)) continue;
    const id = contentIdOf(contentId);
    if (!named.has(id) || read + size > MOST_READ) continue;
    read += size;
    found.set(id, `data:${contentType?.toLowerCase()};base64,${await readBlobText(store, blob)}`);
  }
  return new InlineImages(found);
}

const isImage = ({ kind, contentType }: Attachment): boolean => kind === 'file' && SHOWN_TYPES.test(contentType ?? '');

/** References are percent-encoded (RFC 2392); headers have angle brackets. */
function contentIdOf(text: string): string {
  const bare = text.replace(/^<|>$/g, '');
  try {
    return decodeURIComponent(bare).toLowerCase();
  } catch {
    return bare.toLowerCase();
  }
}
