import { isUtf8 } from 'node:buffer';
import type { Json } from '../../../kernel/store/index.ts';
import { isList, isObject, jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import type { Mistakes } from './mistakes.ts';

/** Deeper than any real event, and far from where writing it out again would run out of stack. */
export const DEEPEST = 100;

/** 5,000 events of 200 bytes each. How deep they are is asked below, since the data alone counts. */
const EVENT_BOUNDS = { names: 60_000, depth: 200 };

/** Bytes that are no UTF-8 are refused rather than replaced: what is delivered is what was sent. */
export function jsonOf(bytes: Buffer, mistakes: Mistakes): Json {
  if (!isUtf8(bytes)) mistakes.fail('The body is not valid UTF-8.');
  let value: Json;
  try {
    value = parseJson(bytes, EVENT_BOUNDS) as Json;
  } catch (error) {
    return mistakes.fail(jsonMistake(error, 'The body'));
  }
  // The list and the event around the data count for nothing.
  if (isDeeper(value, DEEPEST + 2))
    mistakes.fail(`The body is nested too deeply; ${DEEPEST} levels of data are the most.`);
  return value;
}

function isDeeper(value: Json | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (isList(value)) {
    for (const each of value) if (typeof each === 'object' && isDeeper(each, levels - 1)) return true;
    return false;
  }
  for (const name in value) {
    const each = value[name];
    if (typeof each === 'object' && isDeeper(each, levels - 1)) return true;
  }
  return false;
}

/** A list of events that is neither empty nor too long. */
export function listOf(value: Json, mistakes: Mistakes): readonly Json[] {
  if (!isList(value)) return mistakes.fail('The body must be an array of events.');
  if (value.length === 0) mistakes.fail('The array has no events.');
  if (value.length > MOST_EVENTS) {
    mistakes.fail(`The array has ${value.length} events; ${MOST_EVENTS} are the most in one request.`);
  }
  return value;
}

const MOST_EVENTS = 5000;

/** Of one event; anything but an object is noted as a mistake. */
export function objectOf(value: Json | undefined, at: string, mistakes: Mistakes): Record<string, Json> | undefined {
  if (isObject(value)) return value as Record<string, Json>;
  mistakes.add(at, 'must be an object');
  return undefined;
}
