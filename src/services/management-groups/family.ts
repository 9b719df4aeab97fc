import { MANAGEMENT } from '../../kernel/arm/index.ts';
import type { Answer, ApiError } from '../../kernel/http/index.ts';

/** The management family with the error shape of this provider: `details` is a text or null, never a list. */
export const MANAGEMENT_GROUPS_FAMILY: typeof MANAGEMENT = {
  ...MANAGEMENT,
  renderError,
  codes: {
    ...MANAGEMENT.codes,
    malformedJson: 'BadRequest',
    invalidBody: 'BadRequest',
    invalidQuery: 'BadRequest',
  },
};

function renderError(error: ApiError): Answer {
  const { status, code, message, target, details, headers } = error;
  const text = details.length > 1 ? details.map((each) => each.message).join(' ') : null;
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: { error: { code, message, ...(target !== undefined && { target }), details: text } },
  };
}
