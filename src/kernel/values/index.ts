export { byName, compareText } from './compare.ts';
export { isObject, omitAbsent } from './objects.ts';
