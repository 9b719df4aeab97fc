import type { Bench, Reply } from '../../../support/jars.ts';

/** Posts a form to one of the endpoints, as a client does. */
export const postForm = (
  bench: Pick<Bench, 'call'>,
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  bench.call('POST', path, {
    token: null,
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

export const TOKEN = '/oidc/v1/token';

export const basic = (name: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

export const PERSONAL_ACCESS_TOKEN = 'urn:databricks:params:oauth:token-type:personal-access-token';
export const JWT = 'urn:ietf:params:oauth:token-type:jwt';

export const exchange = (subject_token: string, subject_token_type: string): Record<string, string> => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  subject_token,
  subject_token_type,
});
