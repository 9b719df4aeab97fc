export { byName, compareText } from './compare.ts';
export { decimal } from './decimal.ts';
export { findMistake } from './find-mistake.ts';
export { Gate, GateFullError } from './gate.ts';
export type { Json, JsonList, JsonMembers } from './json.ts';
export { isList, isObject, omitAbsent } from './objects.ts';
export { checkBounds, JSON_BOUNDS, type JsonBounds, JsonBoundsError, jsonMistake, parseJson } from './parse-json.ts';
