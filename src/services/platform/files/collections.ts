import { collection } from '../../../kernel/store/index.ts';

/** An upload in parts, or of one file in several requests. The key is the id. The file becomes visible when the upload is completed. */
export interface FileUpload {
  readonly id: string;
  readonly workspaceId: string;
  /** The id of the principal who started it. Other principals cannot see it. */
  readonly by: string;
  /** The id of the volume. */
  readonly volume: string;
  readonly path: string;
  readonly overwrite: boolean;
  readonly kind: 'multipart' | 'resumable';
  readonly expiresAt: number;
  /** For a resumable upload: the bytes received so far. */
  readonly blob?: string;
  readonly size?: number;
}

export const fileUploads = collection<FileUpload>('platform.file_uploads');

/** A part of a multipart upload. The key is `partKey`. */
export interface UploadPart {
  readonly number: number;
  readonly blob: string;
  readonly size: number;
  readonly etag: string;
}

export const uploadParts = collection<UploadPart>('platform.file_upload_parts');

export const partKey = (upload: string, number?: number): string =>
  `${upload}/${number === undefined ? '' : String(number).padStart(5, '0')}`;

export const FILE_COLLECTIONS = [fileUploads, uploadParts] as const;
