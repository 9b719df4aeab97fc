// What a client does about an error, for the error reference: the first pattern that matches code and status. A row of an error table that has a remedy of its own wins.

const RETRY = 'Wait for the time in `Retry-After`, then retry. `npx cloudjar limits` shows the limit and changes it.';

/** @type {readonly (readonly [status: RegExp, code: RegExp, remedy: string])[]} */
const REMEDIES = [
  [/400/, /^MissingApiVersionParameter$/, 'Add `?api-version=` with a version from the page of the service.'],
  [
    /400/,
    /ApiVersion|^NoRegisteredProviderFound$|InvalidVersion/,
    'Use an api-version that the message lists: [Api-versions](api-versions.md).',
  ],
  [
    /40[09]/,
    /Location|Region/,
    'Use a location of the resource type, or the one in which the resource already exists.',
  ],
  [/400/, /SkipToken|Cursor|NextLink|PageToken|page_token/i, 'Begin again with the first page, without the token.'],
  [
    /400/,
    /Filter|InvalidTop|QueryString|Orderby|InvalidUrlQuery/i,
    'Correct the query option: [OData queries](odata.md).',
  ],
  [/400/, /^NotPartOfJar$/, 'Cloudjar does not implement this. The message says what to use instead.'],
  [/400/, /Malformed|InvalidJson|Deserialize|RequestBodyRead|MALFORMED/, 'Send valid JSON with the documented fields.'],
  [/40[01]/, /expired|Expired/, 'Request a new token or code.'],
  [
    /401/,
    /Audience|Tenant/,
    'Request the token for this API and for the tenant of the subscription: [Identity](../services/identity.md).',
  ],
  [
    /400|401/,
    /redirect_uri|BadRedirectUri/i,
    'Register the redirect URI for the application, or send a registered one.',
  ],
  [
    /403/,
    /NameRegistration|ForeignHost|ForeignOrigin/,
    'Call the jar by one of its own names: `localhost`, or one of `--public-url`.',
  ],
  [
    /403|409/,
    /ReadOnlyDisabledSubscription|SubscriptionDisabled/,
    'Enable the subscription first: [Subscriptions](../services/subscriptions.md).',
  ],
  [
    /409/,
    /^MissingSubscriptionRegistration$/,
    'Register the provider: `POST /subscriptions/{id}/providers/{namespace}/register`.',
  ],
  [/409/, /^ScopeLocked$/, 'Delete the lock that the message names: [Locks](../services/locks.md).'],
  [
    /40[49]/,
    /BeingDeleted|BeingMoved|InProgress|Conflicting|OperationNotAllowed/,
    'Wait until the running operation has ended, then retry.',
  ],
  [/429/, /./, RETRY],
  [/401/, /./, 'Send a valid credential. `npx cloudjar token` prints a token, `npx cloudjar keys` the keys.'],
  [/403/, /Quota|Limit|Allowance/i, 'Delete something, or raise the limit: `npx cloudjar limits`.'],
  [/403/, /./, 'Use a caller that has the permission, or grant it.'],
  [
    /40[09]/,
    /Quota|REQUEST_LIMIT|LIMIT_EXCEEDED|^TooManyLocks$|RESOURCE_EXHAUSTED/,
    'Delete something, or raise the limit: `npx cloudjar limits`.',
  ],
  [/40[09]/, /Exceed|TooMany|Maximum|^MAX_|TooLong|TooLarge/, 'Stay within the maximum that the message names.'],
  [
    /40[09]/,
    /AlreadyExists|ALREADY_EXISTS|NameTaken|NameAlready|Taken|Duplicate|uniqueness/i,
    'Use another name, or change what exists under this one.',
  ],
  [/404/, /./, 'Check the path, name or id. List the parent to see what exists.'],
  [/405/, /./, 'Use one of the methods in the header `Allow`.'],
  [/406/, /./, 'Accept one of the formats that the message names.'],
  [/408/, /./, 'Send the request again, faster or in parts.'],
  [/409/, /./, 'Read the current state, resolve the conflict, and send the request again.'],
  [/410/, /./, 'The object or the operation no longer exists. Begin again from a list, or use its successor.'],
  [/411/, /./, 'Send a body, which may be `{}`.'],
  [/412/, /./, 'Read the object again and repeat the change with its current `ETag`.'],
  [/413/, /./, 'Send less in one request.'],
  [/415/, /./, 'Set the `Content-Type` that the message names.'],
  [/417|426/, /./, 'Change the header that the message names.'],
  [/42[2-4]/, /./, 'Correct what the message names, and send the request again.'],
  [
    /50[34]/,
    /./,
    'Retry with backoff, after `Retry-After` if it is present. `GET /_jar/health` says what is unavailable.',
  ],
  [/5\d\d/, /./, 'An error in the jar: `npx cloudjar logs` has the details under the request id.'],
  [/4\d\d/, /./, 'Correct what the message names, and send the request again.'],
  [/200/, /./, 'The answer is complete apart from what the message names.'],
];

/**
 * @param {number} status
 * @param {string} code
 */
export function remedyOf(status, code) {
  const [, , remedy] = REMEDIES.find(([statuses, codes]) => statuses.test(String(status)) && codes.test(code)) ?? [];
  if (remedy === undefined) throw new Error(`no remedy for ${status} ${code}`);
  return remedy;
}
