import { type Complaint, type Expected, shown, type Wording } from '../../../../kernel/arm/body/index.ts';
import type { ApiError } from '../../../../kernel/http/index.ts';
import { eventErrors } from '../../errors.ts';

const LONGEST_SHOWN = 60;

const TYPES: Readonly<Record<Expected['type'], string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** Every mistake has the same code; the message names the member. */
export const mistake = (target: string, reason: string): ApiError => eventErrors.InvalidRequest({ reason }, { target });

export const says =
  (reason: string): Complaint =>
  ({ target }) =>
    mistake(target, reason);

export const SUBSCRIPTION_WORDING: Wording = (kind, { target, name, isEntry, value }, expected) => {
  const { type, min, max, words = [], rule } = expected;
  if (kind === 'missing') return mistake(target, `'${name}' is required.`);
  if (kind === 'word')
    return mistake(target, `'${name}' has to be one of ${words.join(', ')}, not '${shown(value, LONGEST_SHOWN)}'.`);
  if (kind === 'form') return mistake(target, `'${name}' has to be ${rule}.`);
  if (isEntry)
    return mistake(target, `The items of '${name}' have to be ${type === 'object' ? 'objects' : 'strings'}.`);
  if (type === 'integer') return mistake(target, `'${name}' has to be a whole number from ${min} to ${max}.`);
  return mistake(target, `'${name}' has to be ${TYPES[type]}.`);
};

/** The error is the first mistake, with the number of further ones; its details list the first fifty. */
export function allInOne(errors: readonly ApiError[], count: number): ApiError {
  const [first = mistake('', '')] = errors;
  const details = errors.map(({ code, target, message }) => ({ code, target, message }));
  const others = count - 1;
  const more = others === 0 ? '' : ` There ${others === 1 ? 'is' : 'are'} ${others} more.`;
  return eventErrors.InvalidRequest({ reason: `${first.message}${more}` }, { target: first.target, details });
}
