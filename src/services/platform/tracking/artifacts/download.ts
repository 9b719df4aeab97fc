import type { Answer } from '../../../../kernel/http/index.ts';
import type { Reader } from '../../../../kernel/store/index.ts';
import { streamBlob } from '../../blobs/store.ts';
import { errors } from '../../errors.ts';
import type { TreeNode } from '../../tree/collections.ts';
import { isDirectory } from '../../tree/nodes.ts';

/** Content types of files that pages and clients show as text, by extension; other files are bytes. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  css: 'text/css',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  py: 'text/plain',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'text/plain',
  yml: 'text/plain',
  zip: 'application/zip',
};
/** Files written by clients that are YAML without an extension. */
const TEXT_NAMES: ReadonlySet<string> = new Set(['MLmodel', 'MLproject']);

function typeOf(name: string): string {
  if (TEXT_NAMES.has(name)) return 'text/plain';
  const dot = name.lastIndexOf('.');
  return TYPES[name.slice(dot + 1).toLowerCase()] ?? 'application/octet-stream';
}

/** The bytes of a file as an attachment: a browser must not execute an uploaded file. */
export function downloadAnswer(reader: Reader, node: TreeNode | undefined, path: string): Answer {
  if (!node || isDirectory(node))
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `No such artifact: '${path.slice(0, 300)}'` });
  const { blob = '', size = 0, name } = node;
  const quoted = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return {
    status: 200,
    headers: {
      'content-type': typeOf(name),
      'content-length': String(size),
      'content-disposition': `attachment; filename="${quoted}"; filename*=UTF-8''${encodeURIComponent(name)}`,
      'x-content-type-options': 'nosniff',
    },
    body: streamBlob(reader, { blob, size }),
  };
}
