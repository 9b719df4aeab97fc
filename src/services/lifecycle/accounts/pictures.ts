import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { type Picture, pictureId, picturePath, pictures } from './picture-collection.ts';

const LARGEST_PICTURE_BYTES = 1024 * 1024;

/** File signatures. The content type stated by the client is ignored. */
const KINDS: readonly { readonly contentType: string; readonly begins: readonly string[] }[] = [
  { contentType: 'image/png', begins: ['89504e470d0a1a0a'] },
  { contentType: 'image/jpeg', begins: ['ffd8ff'] },
  { contentType: 'image/gif', begins: ['474946383761', '474946383961'] },
];

const refuse = (reason: string) => errors.BadRequest({ reason }, { target: 'avatar' });

/** Reads the single file in the body of a request. */
export async function readPicture({ headers, body }: Pick<Call, 'headers' | 'body'>): Promise<Picture> {
  const bytes = await readFile(headers['content-type'], body);
  if (bytes.length > LARGEST_PICTURE_BYTES) {
    throw refuse(`The avatar has ${bytes.length} bytes; the maximum is ${LARGEST_PICTURE_BYTES}.`);
  }
  const head = bytes.subarray(0, 8).toString('hex');
  const kind = KINDS.find(({ begins }) => begins.some((begin) => head.startsWith(begin)));
  if (!kind) throw refuse('The avatar must be a PNG, JPEG or GIF picture.');
  return { contentType: kind.contentType, base64: bytes.toString('base64') };
}

async function readFile(contentType: string | string[] | undefined, body: unknown): Promise<Buffer> {
  if (typeof contentType !== 'string' || !/^multipart\/form-data\s*;/i.test(contentType) || !Buffer.isBuffer(body)) {
    throw refuse(
      "The avatar must be sent as a file in a form, with the content type 'multipart/form-data' and its boundary.",
    );
  }
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw refuse('The form with the avatar is malformed.');
  }
  const files = [...form.values()].filter((value) => typeof value !== 'string');
  const [file] = files;
  if (!file || files.length > 1)
    throw refuse(`The form has ${files.length} files; it must have exactly one, the avatar.`);
  return Buffer.from(await file.arrayBuffer());
}

/** Stores a picture in place of the previous one and returns its path. */
export async function replacePicture(tx: Tx, before: string | null, picture: Picture): Promise<string> {
  await dropPicture(tx, before);
  const id = uuid();
  await tx.put(pictures, id, picture);
  return picturePath(id);
}

export async function dropPicture(tx: Tx, url: string | null): Promise<void> {
  const id = pictureId(url);
  if (id !== undefined) await tx.delete(pictures, id);
}

/** A picture never changes; a new picture has a new URL. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

export const getPicture = routeCode(['avatar_id'], {
  responses: { 200: Type.Any({ description: 'The picture' }) },
  async handle({ jar, params: { avatar_id: id } }) {
    const picture = (await jar.store.get(pictures, id))?.value;
    if (!picture) throw errors.NotFound({ reason: `There is no avatar '${id.slice(0, 60)}'.` });
    const headers = { 'content-type': picture.contentType, 'cache-control': FOR_GOOD };
    return ok(Buffer.from(picture.base64, 'base64'), headers);
  },
});
