import { ApiError } from '../../http/errors.ts';
import type { MistakeKind } from './mistakes.ts';
import type { Spot } from './place.ts';

/** What a field must be. */
export interface Expected {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly words?: readonly string[] | undefined;
  /** Describes the rule in a message, for example `it must be 1 to 63 letters`. */
  readonly rule?: string | undefined;
}

/** Creates the errors of a service; single fields may override it. */
export type Wording = (kind: MistakeKind, spot: Spot, expected: Expected) => ApiError;

/** The errors of the gateway for wrong types, used for all kinds. */
export const gatewayWording: Wording = (kind, spot, expected) => {
  const { target } = spot;
  const subject = target === '' ? 'The request body' : `The property '${target}' of the request body`;
  const message = `${subject} ${reasonOf(kind, spot, expected)}.`;
  return new ApiError(400, 'InvalidRequestContent', message, target === '' ? {} : { target });
};

function reasonOf(kind: MistakeKind, spot: Spot, { type, min, max, words, rule }: Expected): string {
  if (kind === 'missing') return 'is required';
  if (kind === 'word') return `must be one of ${(words ?? []).map((word) => `'${word}'`).join(', ')}`;
  if (kind === 'form') return rule === undefined ? 'is not valid' : `is not valid: ${rule}`;
  if (kind === 'count') return `must have at most ${max} entries`;
  if (kind === 'type' && !(type === 'integer' && Number.isInteger(spot.value)))
    return `must be ${type}${spot.mayBeNull ? ' or null' : ''}`;
  return min !== undefined && Number(spot.value) < min ? `must be >= ${min}` : `must be <= ${max}`;
}

const LONGEST_SHOWN = 80;

/** Shortens a client's value for a message. */
export function shown(value: unknown, longest = LONGEST_SHOWN): string {
  const text = String(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
