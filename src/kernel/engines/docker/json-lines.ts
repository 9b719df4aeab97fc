import type { Readable } from 'node:stream';

/** Yields the JSON object of each line as it arrives; skips lines that are not objects. */
export async function* jsonLines<T extends object>(stream: Readable): AsyncGenerator<T> {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const part of stream) {
    rest += part as string;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const value = parse<T>(line);
      if (value) yield value;
    }
  }
  const last = parse<T>(rest);
  if (last) yield last;
}

function parse<T extends object>(line: string): T | undefined {
  if (line.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
