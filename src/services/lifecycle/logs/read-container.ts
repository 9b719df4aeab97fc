import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError, LARGE_BODY_BYTES } from '../../../kernel/http/index.ts';
import { isObject, jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import type { LifecycleCall, LifecycleJar } from '../jar.ts';
import { busy, withUnpackingSlot } from '../unpacking.ts';
import { logErrors } from './errors.ts';

type Sent = Pick<LifecycleCall, 'jar' | 'body' | 'headers' | 'signal'>;

/** Limit of the unpacked body, equal to the limit of an uncompressed one. */
const LARGEST_CONTAINER_BYTES = 20 * 1024 * 1024;
/** SDKs send at most a hundred. */
const MOST_LOGS = 5000;
/**
 * Each log repeats its device properties. The depth is not bounded here, so that a log that is nested too deeply is dropped alone and the
 * others are kept.
 */
const LOG_BOUNDS = { names: 150_000, values: 250_000, bytes: LARGEST_CONTAINER_BYTES, depth: 100_000 };

const unpack = promisify(gunzip);

/** The logs of a request, not yet validated. */
export async function readContainer({ jar, body: bytes, headers, signal }: Sent): Promise<readonly unknown[]> {
  if (!Buffer.isBuffer(bytes)) throw logErrors.InvalidLogContainer({ reason: 'The request has no body.' });
  const sent = await unpacked(jar, bytes, headers['content-encoding']);
  if (sent !== bytes && sent.length > LARGE_BODY_BYTES) holdUntilEnd(jar, sent.length, signal);
  const container = parse(sent);
  const logs = isObject(container) ? container.logs : undefined;
  if (!Array.isArray(logs)) {
    throw logErrors.InvalidLogContainer({ reason: "The property 'logs' of the request body must be an array." });
  }
  if (logs.length > MOST_LOGS) {
    throw logErrors.InvalidLogContainer({
      reason: `There are ${logs.length} logs; the maximum is ${MOST_LOGS}.`,
    });
  }
  return logs;
}

/** The unpacked body counts towards body memory like an uncompressed body. */
function holdUntilEnd({ bodyMemory }: LifecycleJar, bytes: number, ended: AbortSignal): void {
  const lease = bodyMemory.lease(bytes);
  if (!lease?.grow(bytes)) throw busy('Too many large logs are being processed');
  if (ended.aborted) lease.release();
  else ended.addEventListener('abort', lease.release, { once: true });
}

async function unpacked(jar: LifecycleJar, bytes: Buffer, encoding: unknown): Promise<Buffer> {
  const named = typeof encoding === 'string' ? encoding.trim().toLowerCase() : 'identity';
  if (named === 'identity' || named === '') return bytes;
  if (named !== 'gzip') throw logErrors.UnsupportedContentEncoding({ encoding: named.slice(0, 60) });
  try {
    return await withUnpackingSlot(jar, () => unpack(bytes, { maxOutputLength: LARGEST_CONTAINER_BYTES }));
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
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
