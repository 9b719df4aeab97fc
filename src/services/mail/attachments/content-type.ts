/** Default content types by file extension. */
const BY_ENDING: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  xml: 'text/xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  eml: 'message/rfc822',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

export const BYTES_TYPE = 'application/octet-stream';

export function typeOfName(name: string): string {
  const ending = /\.(\w{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(BY_ENDING, ending) ? (BY_ENDING[ending] ?? BYTES_TYPE) : BYTES_TYPE;
}

/** RFC 9110, 8.3.1, with parameters limited to printable characters. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(\s*;[\x20-\x7e]*)?$/;

export const isMediaType = (text: string): boolean => text.length <= 255 && MEDIA_TYPE.test(text);

/** A content type that is valid in a response header; the type in a mail can be malformed. */
export const sentType = (contentType: string | null): string =>
  contentType !== null && isMediaType(contentType) ? contentType : BYTES_TYPE;
