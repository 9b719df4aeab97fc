import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isObject, jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import { logErrors } from './errors.ts';

/** Of the unpacked body: as much as may be sent without packing. */
const LARGEST_CONTAINER_BYTES = 20 * 1024 * 1024;
/** SDKs send a hundred at most. */
const MOST_LOGS = 5000;
/** Each log tells of its device. */
const LOG_BOUNDS = { names: 150_000, values: 250_000, bytes: LARGEST_CONTAINER_BYTES };

const unpack = promisify(gunzip);

/** The logs of a request, whatever they are. */
export async function readContainer(bytes: unknown, encoding: unknown): Promise<readonly unknown[]> {
  if (!Buffer.isBuffer(bytes)) throw logErrors.InvalidLogContainer({ reason: 'The request has no body.' });
  const container = parse(await unpacked(bytes, encoding));
  const logs = isObject(container) ? container.logs : undefined;
  if (!Array.isArray(logs)) {
    throw logErrors.InvalidLogContainer({ reason: "The property 'logs' of the request body must be an array." });
  }
  if (logs.length > MOST_LOGS) {
    throw logErrors.InvalidLogContainer({
      reason: `There are ${logs.length} logs, and at most ${MOST_LOGS} are taken.`,
    });
  }
  return logs;
}

async function unpacked(bytes: Buffer, encoding: unknown): Promise<Buffer> {
  const named = typeof encoding === 'string' ? encoding.trim().toLowerCase() : 'identity';
  if (named === 'identity' || named === '') return bytes;
  if (named !== 'gzip') throw logErrors.UnsupportedContentEncoding({ encoding: named.slice(0, 60) });
  try {
    return await unpack(bytes, { maxOutputLength: LARGEST_CONTAINER_BYTES });
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw logErrors.LogContainerTooLarge({ maximum: LARGEST_CONTAINER_BYTES }, { cause });
    }
    throw logErrors.InvalidLogContainer({ reason: 'The request body cannot be unpacked with gzip.' }, { cause });
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return parseJson(bytes, LOG_BOUNDS);
  } catch (cause) {
    throw logErrors.InvalidLogContainer({ reason: jsonMistake(cause) }, { cause });
  }
}
