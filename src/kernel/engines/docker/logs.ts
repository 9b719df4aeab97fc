import { pipeline } from 'node:stream';
import { lastLines } from '../last-lines.ts';
import type { LogOptions } from '../types.ts';
import { type EngineClient, EngineError } from './client.ts';
import type { EngineFacts } from './engine-facts.ts';
import { unwrapped } from './frames.ts';

/** Returns the output of a container, or the end of it. */
export async function readLogs(
  client: EngineClient,
  { countsLines }: EngineFacts,
  engineId: string,
  { tail, timestamps, maxBytes }: LogOptions,
): Promise<Buffer> {
  const query = { stdout: true, stderr: true, timestamps, tail: (countsLines ? tail : undefined) ?? 'all' };
  if (tail === 0) return Buffer.alloc(0);
  try {
    const wrapped = await client.stream('GET', `/containers/${engineId}/logs`, { query });
    const end = await lastBytes(
      pipeline(wrapped, unwrapped(), () => {}),
      maxBytes,
    );
    return lastLines(end, tail);
  } catch (error) {
    // The container is gone, and its output with it.
    if (error instanceof EngineError && error.status === 404) return Buffer.alloc(0);
    throw client.unavailable(error, undefined);
  }
}

/** Holds at most about twice `most` bytes, however long the stream is. */
export async function lastBytes(stream: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    parts.push(part);
    size += part.length;
    if (size <= 2 * most) continue;
    const end = Buffer.concat(parts).subarray(-most);
    parts = [Buffer.from(end)];
    size = end.length;
  }
  const all = Buffer.concat(parts);
  return all.length <= most ? all : all.subarray(all.length - most);
}
