import { ApiError } from '../../kernel/http/index.ts';

/**
 * Errors of the identity service. A row is the number at the start of the description (client libraries search for it), the OAuth error,
 * the status at the token endpoint, and the text.
 */
const TABLE = {
  // the request itself
  MalformedRequest: [9002313, 'invalid_request', 400, 'The request is malformed or invalid: {reason}'],
  MissingParameter: [900144, 'invalid_request', 400, "The request must contain the following parameter: '{name}'."],
  UnsupportedPrompt: [
    90023,
    'invalid_request',
    400,
    "The value '{prompt}' of the parameter 'prompt' is not supported.",
  ],
  InvalidInstance: [
    50049,
    'invalid_instance',
    400,
    "Unknown or invalid instance: '{instance}' is not an address of this jar.",
  ],
  TenantNotFound: [
    90002,
    'invalid_tenant',
    400,
    "Tenant '{tenant}' not found. Check that it is the right tenant id or domain.",
  ],
  NotAuthorizedHere: [
    700016,
    'unauthorized_client',
    400,
    "Application with identifier '{client}' was not found in the directory '{tenant}'.",
  ],
  UnsupportedGrant: [70003, 'unsupported_grant_type', 400, "The app requested an unsupported grant type '{grant}'."],
  PageGone: [
    165000,
    'invalid_request',
    400,
    'This sign-in page has expired, or cookies are blocked. Go back to the application and sign in again.',
  ],
  NothingToSignIn: [
    900561,
    'invalid_request',
    400,
    'Sign-in starts at an application, which sends you here. Go back to the application.',
  ],

  // applications
  UnknownClient: [
    700016,
    'unauthorized_client',
    400,
    "Application with identifier '{client}' was not found in this jar.",
  ],
  RedirectMismatch: [
    50011,
    'invalid_request',
    400,
    "The redirect URI '{uri}' specified in the request does not match the redirect URIs configured for the application '{client}'.",
  ],
  NoRedirect: [
    900971,
    'invalid_request',
    400,
    "No redirect URI was given, and the application '{client}' does not have exactly one.",
  ],
  SecretMissing: [
    7000218,
    'invalid_client',
    401,
    "The request must contain the following parameter: 'client_secret'. The application '{client}' is confidential.",
  ],
  AssertionTypeUnsupported: [
    50027,
    'invalid_client',
    401,
    "The parameter 'client_assertion_type' must be 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'.",
  ],
  AssertionMalformed: [50027, 'invalid_client', 401, 'The client assertion is not a valid JSON Web Token: {reason}'],
  AssertionKeyUnknown: [
    700027,
    'invalid_client',
    401,
    "The certificate with identifier used to sign the client assertion is not registered on the application '{client}'. Thumbprint of key used by client: '{thumbprint}'.",
  ],
  AssertionSignatureWrong: [700027, 'invalid_client', 401, 'The client assertion failed signature validation.'],
  AssertionOutOfTime: [
    700024,
    'invalid_client',
    401,
    'The client assertion is not within its valid time range: it is valid from {from} to {until}.',
  ],
  AssertionAudience: [
    700023,
    'invalid_client',
    401,
    "The audience '{audience}' of the client assertion is not this token endpoint, '{endpoint}'.",
  ],
  AssertionNames: [
    700021,
    'invalid_client',
    401,
    "The 'iss' and 'sub' of the client assertion must be the application '{client}'.",
  ],
  SecretWrong: [7000215, 'invalid_client', 401, "Invalid client secret provided for the application '{client}'."],
  TooManyWrongSecrets: [
    7000215,
    'invalid_client',
    429,
    'Too many invalid client secrets were provided from this address. Try again in {minutes} minutes.',
  ],
  PublicClientSecret: [
    700025,
    'invalid_client',
    401,
    "The application '{client}' is public, so no 'client_secret' should be presented.",
  ],
  PublicClientCredentials: [
    7000218,
    'invalid_client',
    401,
    "The application '{client}' is public and has no identity of its own to request a token for.",
  ],

  // implicit flow
  UnsupportedResponseType: [700054, 'unsupported_response_type', 400, "The response_type '{type}' is not supported."],
  ResponseTypeNotEnabled: [
    700051,
    'unsupported_response_type',
    400,
    "The response_type '{type}' is not enabled for the application '{client}'.",
  ],
  UnsupportedResponseMode: [
    70007,
    'invalid_request',
    400,
    "'{mode}' is not a supported value of 'response_mode' for the response_type '{type}'.",
  ],
  LoginRequired: [50058, 'login_required', 400, 'A silent sign-in request was sent but no user is signed in.'],
  InteractionRequired: [
    16000,
    'interaction_required',
    400,
    'Several accounts are signed in, or none of them is the requested one; the user must choose.',
  ],
  AccessDenied: [65004, 'access_denied', 400, 'The user canceled the sign-in.'],

  // resources and scopes
  ResourceNotFound: [
    500011,
    'invalid_resource',
    400,
    "The resource principal named '{resource}' was not found in the tenant named '{tenant}'.",
  ],
  InvalidScope: [
    70011,
    'invalid_scope',
    400,
    "The provided value for the input parameter 'scope' is not valid: {reason}",
  ],
  SeveralResources: [28000, 'invalid_scope', 400, "The input parameter 'scope' names more than one resource: {scope}."],
  DefaultScopeNeeded: [
    1002012,
    'invalid_scope',
    400,
    "The scope '{scope}' is not valid. Client credential flows must have a scope with '/.default' after the resource identifier.",
  ],

  // users
  WrongPassword: [50126, 'invalid_grant', 400, 'Error validating credentials due to invalid username or password.'],
  UserDisabled: [50057, 'invalid_grant', 400, "The user account '{user}' is disabled."],
  ForeignUser: [50020, 'invalid_grant', 400, "The user account '{user}' does not exist in the tenant '{tenant}'."],
  TooManyAttempts: [50053, 'invalid_grant', 400, 'Too many sign-in attempts failed. Try again in {minutes} minutes.'],

  // codes and refresh tokens
  InvalidGrant: [
    70000,
    'invalid_grant',
    400,
    'The provided authorization code or refresh token is invalid, was revoked, or was issued to another application.',
  ],
  GrantExpired: [
    70008,
    'invalid_grant',
    400,
    'The provided authorization code or refresh token has expired. Sign in again.',
  ],
  CodeRedeemed: [
    54005,
    'invalid_grant',
    400,
    'The authorization code was already redeemed; its tokens are revoked. Sign in again.',
  ],
  RefreshTokenReused: [
    700084,
    'invalid_grant',
    400,
    'The refresh token was already used and replaced by another; the whole grant is revoked. Sign in again.',
  ],
  ReplyAddressChanged: [
    500112,
    'invalid_grant',
    400,
    "The redirect URI '{uri}' is not the one of the authorization request.",
  ],
  WrongVerifier: [
    501481,
    'invalid_grant',
    400,
    "The 'code_verifier' does not match the 'code_challenge' of the authorization request.",
  ],
  // device codes
  AuthorizationPending: [
    70016,
    'authorization_pending',
    400,
    'OAuth 2.0 device flow error. Authorization is pending. Continue polling.',
  ],
  SlowDown: [70016, 'slow_down', 400, 'Polled too soon. Wait for {seconds} seconds between two polls.'],
  AuthorizationDeclined: [65004, 'authorization_declined', 400, 'The user declined to sign in to the application.'],
  DeviceCodeUnknown: [
    70018,
    'bad_verification_code',
    400,
    "The device code is not known, or was issued to another application than '{client}'.",
  ],
  DeviceCodeExpired: [
    70020,
    'expired_token',
    400,
    'The device code has expired. Have the user retry the sign-in with a new one.',
  ],
  DeviceCodeExpiredV1: [
    70019,
    'code_expired',
    400,
    'Verification code expired. Have the user retry the sign-in with a new one.',
  ],
  DeviceCodeRedeemed: [54005, 'invalid_grant', 400, 'The device code was already redeemed. Sign in again.'],
  TooManyDeviceCodes: [
    50196,
    'temporarily_unavailable',
    429,
    'Too many device codes were requested from this address. Try again in {minutes} minutes.',
  ],
  ProofKeyRequired: [
    9002325,
    'invalid_request',
    400,
    'Proof Key for Code Exchange is required to redeem an authorization code from a web page.',
  ],
} as const satisfies Readonly<Record<string, readonly [number, string, number, string]>>;

/** An OAuth error with the number by which client libraries recognise it. */
export class IdentityError extends ApiError {
  readonly number: number;
  constructor(number: number, code: string, status: number, message: string) {
    super(status, code, message);
    this.name = 'IdentityError';
    this.number = number;
  }
}

type Slots<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slots<Rest>
  : never;
type Maker<Template extends string> = [Slots<Template>] extends [never]
  ? () => IdentityError
  : (values: Readonly<Record<Slots<Template>, string | number>>) => IdentityError;

/** Maximum length of a quoted value: errors may be sent in redirects, and long values would make long URLs. */
const LONGEST_QUOTE = 200;

export const identityErrors = Object.fromEntries(
  Object.entries(TABLE).map(([name, [number, code, status, template]]) => [
    name,
    (values: Readonly<Record<string, string | number>> = {}) => {
      const message = template.replace(/\{(\w+)\}/g, (_, slot: string) => String(values[slot]).slice(0, LONGEST_QUOTE));
      return new IdentityError(number, code, status, message);
    },
  ]),
) as { readonly [Name in keyof typeof TABLE]: Maker<(typeof TABLE)[Name][3]> };

export const ERROR_TABLE: Readonly<Record<string, readonly [number, string, number, string]>> = TABLE;
