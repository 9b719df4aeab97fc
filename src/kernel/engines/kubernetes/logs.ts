import type { ContainerTarget, LogOptions } from '../types.ts';
import { ApiProblem, isNotFound } from './api-errors.ts';
import type { Connection } from './connection.ts';
import { podName } from './names.ts';
import { getRaw } from './raw.ts';

const TIMEOUT_MS = 60_000;

/**
 * Returns the end of a container's log. A cluster can limit bytes only from the beginning, so the whole log is read (a node keeps about ten
 * megabytes at most) and the end is kept.
 */
export async function readLog(
  connection: Connection,
  { uid, container }: Pick<ContainerTarget, 'uid' | 'container'>,
  { tail, timestamps, maxBytes }: LogOptions,
): Promise<Buffer> {
  const path = `/api/v1/namespaces/${connection.namespace}/pods/${podName(uid)}/log`;
  const query = {
    container,
    timestamps: String(timestamps),
    ...(tail !== undefined && { tailLines: String(tail) }),
  };
  try {
    return await getRaw(connection, 'reading a log', { path, query, timeoutMs: TIMEOUT_MS }, (body) =>
      endOf(body, maxBytes),
    );
  } catch (error) {
    if (isNotFound(error) || isNotStarted(error)) return Buffer.alloc(0);
    throw error;
  }
}

/** A container that has not started has no log. */
const isNotStarted = (error: unknown): boolean => error instanceof ApiProblem && error.status === 400;

async function endOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  let kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    kept.push(chunk);
    size += chunk.length;
    if (size > 2 * maxBytes) {
      kept = [Buffer.concat(kept).subarray(-maxBytes)];
      size = maxBytes;
    }
  }
  return Buffer.concat(kept).subarray(-maxBytes);
}
