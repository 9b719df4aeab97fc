import { Readable } from 'node:stream';
import type { Answer } from '../../../kernel/http/index.ts';
import { ApiError } from '../../../kernel/http/index.ts';
import type { Reader } from '../../../kernel/store/index.ts';
import { rangeOf } from '../blobs/range.ts';
import { type Blob, PIECE_BYTES, readRange, retryIfGone, streamRange } from '../blobs/store.ts';
import type { PlatformCall } from '../jar.ts';
import type { TreeNode } from '../tree/collections.ts';
import { filesErrors } from './errors.ts';

/**
 * Up to this size, a file is read completely before the response starts: if it is overwritten meanwhile, the read is repeated, and the
 * response never ends early.
 */
const SMALL_BYTES = 4 * PIECE_BYTES;

const httpDate = (at: number): string => new Date(at).toUTCString();

const headersOf = ({ modifiedAt }: TreeNode, length: number): Record<string, string> => ({
  'content-type': 'application/octet-stream',
  'content-length': String(length),
  'last-modified': httpDate(modifiedAt),
  'accept-ranges': 'bytes',
});

/** The answer of `HEAD`. */
export function fileHead(call: PlatformCall, node: TreeNode): Answer {
  checkUnmodified(call, node);
  return { status: 200, headers: headersOf(node, node.size ?? 0), body: Readable.from([]) };
}

/** The bytes of a file, or the requested range. `find` looks up the file, and is repeated if the file is overwritten meanwhile. */
export const fileAnswer = (call: PlatformCall, find: () => Promise<TreeNode>): Promise<Answer> =>
  retryIfGone(async () => answerOnce(call, await find()));

async function answerOnce(call: PlatformCall, node: TreeNode): Promise<Answer> {
  checkUnmodified(call, node);
  const { blob = '', size = 0 } = node;
  const range = rangeOf(call.headers.range, size);
  if (range === 'beyond')
    throw new ApiError(
      416,
      'RANGE_NOT_SATISFIABLE',
      filesErrors.RANGE_NOT_SATISFIABLE({ size, range: String(call.headers.range).slice(0, 100) }).message,
      { headers: { 'content-range': `bytes */${size}` } },
    );
  const { from, to } = range ?? { from: 0, to: size - 1 };
  const length = to - from + 1;
  const body = await bytesOf(call.jar.store, { blob, size }, from, length);
  const headers = headersOf(node, length);
  if (!range) return { status: 200, headers, body };
  return { status: 206, headers: { ...headers, 'content-range': `bytes ${from}-${to}/${size}` }, body };
}

const bytesOf = async (reader: Reader, blob: Blob, from: number, length: number): Promise<Buffer | Readable> =>
  length <= SMALL_BYTES ? readRange(reader, blob, from, length) : streamRange(reader, blob, from, length);

/** RFC 9110, 13.1.4. Times in headers have no milliseconds. */
function checkUnmodified({ headers }: PlatformCall, { modifiedAt }: TreeNode): void {
  const sent = headers['if-unmodified-since'];
  const since = typeof sent === 'string' && sent.length < 100 ? Date.parse(sent) : Number.NaN;
  if (!Number.isNaN(since) && Math.floor(modifiedAt / 1000) * 1000 > since)
    throw filesErrors.PRECONDITION_FAILED({ modified: httpDate(modifiedAt) });
}
