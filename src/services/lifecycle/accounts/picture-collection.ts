import { collection } from '../../../kernel/store/index.ts';

/** The avatar of an app or of an organization, which are known there by their paths. */
export interface Picture {
  readonly contentType: string;
  readonly base64: string;
}

/** By ids that nobody guesses: whoever has the address may look. */
export const pictures = collection<Picture>('lifecycle.pictures', { wide: true });

const FOLDER = '/v0.1/public/avatars/';

export const picturePath = (id: string): string => FOLDER + id;
/** Undefined where it is kept elsewhere, or there is none. */
export const pictureId = (url: string | null): string | undefined =>
  url?.startsWith(FOLDER) ? url.slice(FOLDER.length) : undefined;
