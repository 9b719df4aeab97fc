import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Answer } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { symbolsFile } from '../symbols/find.ts';
import { attachments, reportBodies } from './collections.ts';
import { readFile } from './files.ts';
import { type FileUse, readLink, SIGNED } from './links.ts';

interface Download {
  readonly contentType: string;
  readonly fileName: string;
  readonly body: string | Buffer | Readable;
  /** Required if the content is a stream. */
  readonly length?: number;
}

const FINDERS: Readonly<Record<Exclude<FileUse, 'upload'>, (jar: Jar, name: string) => Promise<Download | undefined>>> =
  {
    async report({ store }, name) {
      const found = await store.get(reportBodies, name);
      const body = found && JSON.stringify(found.value.content);
      return body === undefined ? undefined : { contentType: 'application/json', fileName: `${last(name)}.json`, body };
    },
    async attachment({ store }, name) {
      const found = await store.get(attachments, name);
      if (!found) return undefined;
      const { contentType, fileName } = found.value;
      return { contentType, fileName, body: await readFile(store, name) };
    },
    symbols: symbolsFile,
  };

const last = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

export const downloadFile = routeCode(['link'], {
  query: Type.Object(SIGNED),
  responses: { 200: 'The file' },
  async handle(call): Promise<Answer> {
    const { use, name } = readLink(call);
    const found = use === 'upload' ? undefined : await FINDERS[use](call.jar, name);
    if (!found) throw errors.NotFound({ reason: 'The file no longer exists.' });
    return { status: 200, headers: headersOf(found), body: found.body };
  },
});

/** RFC 8187 encoding, which leaves fewer characters unescaped than URL encoding. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Content type and file name come from apps; these headers keep them from becoming a web page or injecting headers. */
const headersOf = ({ contentType, fileName, length }: Download) => ({
  ...(length !== undefined && { 'content-length': String(length) }),
  'content-type': /^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/.test(contentType)
    ? contentType
    : 'application/octet-stream',
  'content-disposition': `attachment; filename*=UTF-8''${encoded(fileName)}`,
  'content-security-policy': 'sandbox',
});
