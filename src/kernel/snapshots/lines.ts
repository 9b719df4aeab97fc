import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { snapshotErrors } from './errors.ts';

/** Longer than any document that an API accepts. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
const LINE_END = 10;

/**
 * Yields the lines of a file while it is being received, with at most one line in memory: a file that unpacks to gigabytes is detected in
 * time. The rest of a refused file is drained, so that its sender can read the response.
 */
export async function* linesOfFile(file: Readable): AsyncGenerator<string> {
  const unpacked = createGunzip();
  const fail = (error: Error): void => void unpacked.destroy(error);
  const closed = (): void => {
    if (!file.readableEnded) fail(cutOff('the client disconnected before the file was complete'));
  };
  file.once('error', fail).once('close', closed);
  file.pipe(unpacked);
  let begun = false;
  try {
    let rest: Buffer[] = [];
    let held = 0;
    for await (const part of unpacked as AsyncIterable<Buffer>) {
      begun = true;
      let from = 0;
      for (let end = part.indexOf(LINE_END); end >= 0; end = part.indexOf(LINE_END, from)) {
        yield Buffer.concat([...rest, part.subarray(from, end)]).toString('utf8');
        rest = [];
        held = 0;
        from = end + 1;
      }
      held += part.length - from;
      if (held > LONGEST_LINE_BYTES) throw malformed(`a line is longer than ${LONGEST_LINE_BYTES} bytes`);
      if (from < part.length) rest.push(part.subarray(from));
    }
    if (held > 0) throw cutOff('it ends within a line');
  } catch (error) {
    throw isZlibError(error) ? explained(error, begun) : error;
  } finally {
    file.unpipe(unpacked);
    file.off('close', closed);
    file.off('error', fail);
    file.on('error', () => {});
    unpacked.destroy();
    file.resume();
  }
}

function isZlibError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}

function explained(error: Error & { code: string }, begun: boolean): Error {
  if (error.code === 'Z_BUF_ERROR') return cutOff('it ends in the middle');
  return begun || !/header check/.test(error.message) ? cutOff(error.message) : malformed('it is not gzip');
}

export const malformed = (reason: string) => snapshotErrors.SnapshotFileMalformed({ reason });
export const cutOff = (reason: string) => snapshotErrors.SnapshotFileIncomplete({ reason });
