import { isUtf8 } from 'node:buffer';
import type { Json } from '../../../kernel/store/index.ts';
import { isList, isObject, jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import type { Mistakes } from './mistakes.ts';

/** Deeper than any real event, and far below the depth at which serialising would exhaust the stack. */
const DEEPEST = 100;

/** 5,000 events of 200 bytes each; the list and the event add two levels around the data. */
const EVENT_BOUNDS = { names: 60_000, values: 100_000, depth: DEEPEST + 2 };

/** Invalid UTF-8 is rejected rather than replaced, so that events are delivered exactly as they were sent. */
export function jsonOf(bytes: Buffer, mistakes: Mistakes): Json {
  if (!isUtf8(bytes)) mistakes.fail('The body is not valid UTF-8.');
  try {
    return parseJson(bytes, EVENT_BOUNDS) as Json;
  } catch (error) {
    return mistakes.fail(jsonMistake(error, 'The body'));
  }
}

/** A list of events; throws if it is empty or too long. */
export function listOf(value: Json, mistakes: Mistakes): readonly Json[] {
  if (!isList(value)) return mistakes.fail('The body must be an array of events.');
  if (value.length === 0) mistakes.fail('The array has no events.');
  if (value.length > MOST_EVENTS) {
    mistakes.fail(`The array has ${value.length} events; ${MOST_EVENTS} are the most in one request.`);
  }
  return value;
}

const MOST_EVENTS = 5000;

/** Returns one event; adds a mistake if it is not an object. */
export function objectOf(value: Json | undefined, at: string, mistakes: Mistakes): Record<string, Json> | undefined {
  if (isObject(value)) return value as Record<string, Json>;
  mistakes.add(at, 'must be an object');
  return undefined;
}
