import type { Behaviour, WantedBehaviour } from './api.ts';

/** A behaviour as it is set again: `PUT` replaces all of it and counts failures from the beginning, so only those that are left are kept. */
export function wantedOf({ fail, status, headers, body, delayMs, handshake }: Behaviour): WantedBehaviour {
  return {
    ...(fail && fail.left > 0 && { fail: { times: fail.left, status: fail.status } }),
    ...(status !== 200 && { status }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
    ...(delayMs > 0 && { delayMs }),
    ...(handshake !== 'answer' && { handshake: handshake as WantedBehaviour['handshake'] }),
  } as WantedBehaviour;
}

/** The text of a body as it is sent: JSON if it is JSON, otherwise text. */
export function bodyOfText(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const textOfBody = (body: unknown): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body, null, 2);

/** Lines `name: value` as headers; a line without a colon has no value, which the jar refuses with a reason. */
export const headersOfText = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.trim(), value.join(':').trim()];
      }),
  );

export const textOfHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
