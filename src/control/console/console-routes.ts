import { randomBytes } from 'node:crypto';
import type { Answer, Route } from '../../kernel/http/index.ts';
import { type Call, route } from '../../kernel/service/index.ts';
import { controlErrors } from '../family.ts';
import { type BuiltFiles, openBuiltFiles } from '../files/built-files.ts';
import { CONSOLE_PATH } from './links.ts';

/** In the built page, where the nonce of an answer goes. */
const NONCE = '__CLOUDJAR_NONCE__';
const NONCE_BYTES = 16;
const LONGEST_SHOWN = 100;

/**
 * The files of the console, for everybody: they are the same for every jar. Its addresses are those of its pages, so every path without a
 * file is the one document, whose script decides what to show.
 */
export function consoleRoutes(): readonly Route[] {
  let files: BuiltFiles | undefined;
  const answer = async (path: string, { headers }: Pick<Call, 'headers'>): Promise<Answer> => {
    files ??= openBuiltFiles({ name: 'console', pageHeaders: () => ({}) });
    const isFile = path.startsWith('assets/');
    const encoding = headers['accept-encoding'];
    const found = await files.file(isFile ? path : '', encoding);
    if (!found) {
      const isBuilt = isFile && (await files.file('', encoding)) !== undefined;
      throw isBuilt
        ? controlErrors.NoSuchConsoleFile({ file: path.slice(0, LONGEST_SHOWN) })
        : controlErrors.ConsoleNotBuilt();
    }
    return isFile ? found : withNonce(found);
  };
  return [
    route({
      method: 'GET',
      path: CONSOLE_PATH,
      operation: 'Console_Page',
      summary: 'The console: everything that the jar does, in a browser',
      open: true,
      quiet: true,
      produces: 'text/html',
      responses: { 200: 'HTML', 404: 'The console is not built' },
      handle: (call) => answer('', call),
    }),
    route({
      method: 'GET',
      path: `${CONSOLE_PATH}/{file*}`,
      operation: 'Console_File',
      summary: 'A page of the console, or a file that it needs',
      open: true,
      quiet: true,
      produces: 'text/html',
      responses: { 200: 'HTML, script or style', 404: 'There is no such file' },
      handle: (call) => answer(call.params.file, call),
    }),
  ];
}

/** The terminal and the component library create style elements; the nonce allows those and no others. */
function withNonce({ status, headers, body }: Answer): Answer {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return {
    status,
    headers: {
      ...headers,
      'cache-control': 'no-store',
      'content-security-policy': policyWith(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    },
    body: String(body).replaceAll(NONCE, nonce),
  };
}

const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
