import { isObject } from '../../../../kernel/values/index.ts';
import type { PlatformCall } from '../../jar.ts';
import { contextErrors } from '../errors.ts';

/** Ids in requests of version 1.2. */
export interface ContextRequest {
  readonly clusterId: string;
  readonly contextId: string;
  readonly commandId: string;
  readonly language: string;
  readonly command: string;
}

export type Part = keyof ContextRequest;

const LANGUAGES = ['python', 'scala', 'sql', 'r'];
const LONGEST_COMMAND = 1024 * 1024;
const NONE: ContextRequest = { clusterId: '', contextId: '', commandId: '', language: '', command: '' };

const wrong = (reason: string) => contextErrors.IllegalArgumentException({ reason });

/** Reads the ids, all of which are required. */
export function readParts(sent: Readonly<Record<string, unknown>>, parts: readonly Part[]): ContextRequest {
  const request: Record<Part, string> = { ...NONE };
  for (const part of parts) {
    const value = Object.hasOwn(sent, part) ? sent[part] : undefined;
    if (typeof value !== 'string' || value === '') throw wrong(`requirement failed: missing ${part}`);
    request[part] = value;
  }
  if (parts.includes('language') && !LANGUAGES.includes(request.language))
    throw wrong(`unknown language '${request.language.slice(0, 50)}'; supported languages: ${LANGUAGES.join(', ')}`);
  if (request.command.length > LONGEST_COMMAND) throw wrong(`a command can have at most ${LONGEST_COMMAND} characters`);
  return request;
}

export const fromQuery = ({ query }: PlatformCall, parts: readonly Part[]): ContextRequest =>
  readParts({ ...query }, parts);

export const fromBody = ({ body }: PlatformCall, parts: readonly Part[]): ContextRequest => {
  if (!isObject(body)) throw wrong('the body must be an object');
  return readParts(body, parts);
};
