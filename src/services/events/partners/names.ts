import type { ApiError } from '../../../kernel/http/index.ts';
import { eventErrors } from '../errors.ts';

/** Names of channels, event channels, partner topics and partner destinations. */
export const CHANNEL_NAME = /^[a-z0-9-]{3,64}$/i;

export const CHANNEL_NAME_RULE = 'it must have 3 to 64 letters, digits and hyphens';

export const badName =
  (what: string, rule: string) =>
  (name: string): ApiError =>
    eventErrors.InvalidRequest(
      { reason: `The ${what} name '${name.slice(0, 60)}' is not valid: ${rule}.` },
      { target: 'name' },
    );
