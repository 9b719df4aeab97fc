import type { Request } from '../request.ts';
import { checkText, MOST_TEXTS, type Texts } from './texts.ts';

/** Values of version 3 of the API: times and durations are texts, tags are an object. */

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const DURATION = /^\d{1,12}(?:\.\d{1,9})?s$/;

/** RFC 3339. */
export function timeIn(request: Request, field: string): number | undefined {
  const text = request.text(field);
  if (text === undefined || text === '') return undefined;
  const at = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw request.invalid(field, text, 'Times are written as 2024-01-31T12:00:00.000Z.');
  return at;
}

/** `"1.2s"`, in milliseconds. */
export function durationIn(request: Request, field: string): number | undefined {
  const text = request.text(field);
  if (text === undefined || text === '') return undefined;
  if (!DURATION.test(text)) throw request.invalid(field, text, 'Durations are seconds, written as 1.2s.');
  return Math.round(Number(text.slice(0, -1)) * 1000);
}

/** An object of texts. */
export function readMap(request: Request, field: string): Texts {
  const object = request.member(field);
  if (!object) return new Map();
  const names = object.names();
  if (names.length > MOST_TEXTS) throw request.invalid(field, names.length, `It has at most ${MOST_TEXTS} entries.`);
  return new Map(
    names.map((name) => {
      const value = object.text(name) ?? '';
      checkText(object, name, value);
      return [name, value];
    }),
  );
}
