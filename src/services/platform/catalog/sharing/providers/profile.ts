import type { JsonMembers } from '../../../../../kernel/values/index.ts';
import { Sent } from '../../../engine/sent.ts';
import { errors } from '../../../errors.ts';

/** The profile that an outside provider issued to its recipient: endpoint and credentials. */
export interface Profile {
  readonly endpoint: string;
  readonly bearer: string;
  readonly version: number;
  readonly expirationTime?: string;
}

const LONGEST = 100_000;

/** Parses a profile file. */
export function readProfile(text: string): Profile {
  const refused = (reason: string) =>
    errors.INVALID_PARAMETER_VALUE({ reason: `recipient_profile_str is not a valid profile: ${reason}.` });
  if (text.length > LONGEST) throw refused(`it has more than ${LONGEST} characters`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw refused('it is not JSON');
  }
  const sent = new Sent(parsed, 'recipient_profile_str');
  const endpoint = sent.need('endpoint');
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) throw refused('its endpoint is not a URL');
  const expirationTime = sent.text('expirationTime');
  return {
    endpoint: trimmedSlashes(endpoint),
    bearer: sent.text('bearerToken') ?? '',
    version: sent.whole('shareCredentialsVersion') ?? 1,
    ...(expirationTime !== undefined && { expirationTime }),
  };
}

function trimmedSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}

export const profileView = ({ endpoint, bearer, version }: Profile, showsBearer: boolean): JsonMembers => ({
  recipient_profile: {
    endpoint,
    share_credentials_version: version,
    ...(showsBearer && bearer !== '' && { bearer_token: bearer }),
  },
});
