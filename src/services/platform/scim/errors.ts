import { type ApiError, errorTable } from '../../../kernel/http/index.ts';

/** Error types of RFC 7644 that this service returns. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness';

export const table = errorTable({
  INVALID_PARAMETER_VALUE: [400, '{reason}'],
  INVALID_FILTER: [400, '{reason}'],
  ALREADY_EXISTS: [409, '{reason}'],
  PERMISSION_DENIED: [403, '{reason}'],
  RESOURCE_DOES_NOT_EXIST: [404, '{title} with id {id} not found.'],
});

const SHOWN = 200;

/** Truncates a sent value for use in a message. */
export const shown = (value: unknown): string => String(value).slice(0, SHOWN);

export const invalid = (scimType: ScimType, reason: string): ApiError =>
  table.INVALID_PARAMETER_VALUE({ reason }, { target: scimType });

/** Error for a filter with more comparisons than the platform evaluates. */
export const tooLong = (reason: string): ApiError => table.INVALID_FILTER({ reason }, { target: 'invalidFilter' });

export const taken = (reason: string): ApiError => table.ALREADY_EXISTS({ reason }, { target: 'uniqueness' });

export const forbidden = (reason: string): ApiError => table.PERMISSION_DENIED({ reason });

export const missing = (title: string, id: string): ApiError => table.RESOURCE_DOES_NOT_EXIST({ title, id: shown(id) });
