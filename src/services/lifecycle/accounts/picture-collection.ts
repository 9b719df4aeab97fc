import { collection } from '../../../kernel/store/index.ts';

/** The avatar of an app or an organization, which refers to it by its path. */
export interface Picture {
  readonly contentType: string;
  readonly base64: string;
}

/** Keyed by unguessable ids: access to the URL is enough to read a picture. */
export const pictures = collection<Picture>('lifecycle.pictures', { wide: true });

const FOLDER = '/v0.1/public/avatars/';

export const picturePath = (id: string): string => FOLDER + id;
/** Returns undefined for external URLs and for no picture. */
export const pictureId = (url: string | null): string | undefined =>
  url?.startsWith(FOLDER) ? url.slice(FOLDER.length) : undefined;
