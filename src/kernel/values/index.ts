export { byName, compareText } from './compare.ts';
export { isList, isObject, omitAbsent } from './objects.ts';
