import { bearerToken, knownOrigin, sameText } from '../kernel/auth/index.ts';
import { ClockError } from '../kernel/clock/index.ts';
import {
  type ApiFamily,
  type Credential,
  type DescribedRoute,
  errorTable,
  type FamilyShape,
  isForReaders,
  routesFor,
} from '../kernel/http/index.ts';
import { countWrongCredential, retryHeaders } from '../kernel/limits/index.ts';
import type { Call, Jar } from '../kernel/service/index.ts';
import type { Pass, PassKeys } from './console/passes.ts';
import { sessionOf } from './console/session-cookie.ts';
import { WRONG_KEYS } from './limits-table.ts';

export const controlErrors = errorTable({
  AdminKeyMissing: [
    401,
    "The control API requires 'Authorization: Bearer KEY' with the admin key; see admin.key in the data folder.",
  ],
  AdminKeyWrong: [403, 'That is not the admin key of this jar.'],
  TooManyWrongKeys: [429, 'Too many wrong admin keys from {source}; try again in {seconds} s.'],
  ReadersMayNot: [
    403,
    'This session may only read; a link from `cloudjar open` without --read-only may change the jar.',
  ],
  LinkUnknown: [
    401,
    'This link was not issued by this jar, or the admin key has changed since; `cloudjar open` prints another.',
  ],
  LinkExpired: [401, 'This link has expired; `cloudjar open` prints another.'],
  LinkUsed: [401, 'This link was already used: each opens one session; `cloudjar open` prints another.'],
  NoSession: [401, 'There is no session, or it has ended; `cloudjar open` prints a link that starts one.'],
  CodeOrKey: [400, "Send either 'code', from a link of `cloudjar open`, or 'key', the admin key."],
  ConsoleNotBuilt: [404, "The console is not built in this clone: run 'npm run console'."],
  NoSuchConsoleFile: [404, "This build of the console has no file '{file}': load the page again."],
  ForeignHost: [403, "The host '{host}' is not a name of this jar; use localhost or its address."],
  ForeignOrigin: [403, "Pages of '{origin}' may not use the control API."],
  BadDuration: [400, '{reason}'],
  BadTime: [400, '{reason}'],
  AdvanceTarget: [
    400,
    "Give either 'by', a duration such as 36h, or 'to', a time such as 2026-01-31T09:00:00Z; {given}.",
  ],
  ClaimTaken: [400, "The claim '{claim}' follows from the user and cannot be set; only other claims can be added."],
  BadCursor: [400, "The Last-Event-ID '{cursor}' was not issued by the feed."],
  AdvanceInterrupted: [409, '{reason}'],
  ClockFixed: [409, '{reason}'],
  UnknownUser: [404, "There is no user or application '{user}' in this jar; there are {known}."],
  UnknownApi: [404, "There is no API '{name}' in this jar{known}."],
  UnknownOperation: [404, "There is no operation '{operation}' in this document."],
  UnknownPath: [404, "No operation in this document has the path '{path}'."],
  DocsNotBuilt: [404, "The documentation site is not built in this clone: run 'npm run docs'. Its pages are in docs/."],
  NameMissing: [
    400,
    'The address ends in a slash, so the name of the item to delete is missing; without the slash it means all items.',
  ],
  BadSeed: [400, '{reason}'],
  StopUnavailable: [409, 'This jar runs inside another program and can only be ended there, with close().'],
});

/** A clock error as an error of the control API. */
export function advanceError(error: unknown): unknown {
  if (!(error instanceof ClockError)) return error;
  const reason = error.message;
  if (error.code === 'FIXED_CLOCK') return controlErrors.ClockFixed({ reason });
  if (error.code === 'BAD_DURATION') return controlErrors.BadDuration({ reason }, { target: 'by' });
  if (error.code === 'BAD_TIME') return controlErrors.BadTime({ reason }, { target: 'to' });
  return controlErrors.AdvanceInterrupted({ reason });
}

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i;

/**
 * A web page must not be able to control the jar of its visitor. Its requests carry its origin; a page that has bound its own host name to
 * 127.0.0.1 (DNS rebinding) carries that name as host. Both are refused before the key is checked.
 */
export function refuseForeignPages(call: Call): void {
  const host = hostName(String(call.headers.host ?? ''));
  const { config } = call.jar;
  const configured = config.host.toLowerCase();
  const loopbackOnly = LOOPBACK.test(configured);
  const isOwn = host === configured || config.publicUrl.some((url) => new URL(url).hostname === host);
  if (loopbackOnly && !LOOPBACK.test(host) && !isOwn) throw controlErrors.ForeignHost({ host });
  const { origin } = call.headers;
  if (typeof origin !== 'string' || origin.toLowerCase() === call.origin || origin === knownOrigin(call)) return;
  throw controlErrors.ForeignOrigin({ origin });
}

/** `DELETE …/faults/$ID` with an empty variable must not delete all rules. */
function refuseNamelessDelete({ method, url, route }: Call): void {
  if (method === 'DELETE' && !route.open && /\/(\?|$)/.test(url)) throw controlErrors.NameMissing();
}

const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');

const ADMIN_KEY: Credential = {
  bearer: 'adminKey',
  about: 'The admin key of the jar: CLOUDJAR_ADMIN_KEY, or admin.key in the data folder',
};

/** Written as a literal instead of built with TypeBox, because it is loaded at every start. */
const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        target: { type: 'string', description: 'The invalid parameter or property' },
      },
    },
  },
};

function refusals({ open, traits }: DescribedRoute<ControlShape>): Readonly<Record<number, string>> {
  if (traits?.anyPage) return {};
  const foreign = 'a page of another origin, or a host name that is not one of this jar';
  if (open) return { 403: `It comes from ${foreign}` };
  return {
    401: 'The admin key is missing',
    403: `A key other than the admin key, ${foreign}`,
    429: 'Too many wrong keys from this address',
  };
}

/** Keys and codes of links are too long to guess. Attempts are counted so that guessing shows in the log. */
export async function refuseWrong({ jar, remoteAddress }: ControlCall, error: Error): Promise<never> {
  const tooMany = await countWrongCredential({ jar, remoteAddress, limits: [WRONG_KEYS] });
  if (!tooMany) throw error;
  const { source, retryAfterSeconds: seconds } = tooMany;
  throw controlErrors.TooManyWrongKeys({ source, seconds }, { headers: retryHeaders(tooMany) });
}

interface ControlShape extends FamilyShape {
  /** The session of a browser, instead of the admin key. */
  readonly facts: { session?: Pass };
  /** `anyPage`: browser requests from pages of other origins are accepted too. */
  readonly traits: { readonly anyPage?: boolean };
}

/** Without the key, a browser with a session may call: all of it, or only what reads and contains no secret. */
function admitSession(call: ControlCall, keys: PassKeys): boolean {
  const session = sessionOf(keys, call);
  if (!session) return false;
  call.facts.session = session;
  if (session.role === 'reader' && !isForReaders(call.method, call.route)) throw controlErrors.ReadersMayNot();
  return true;
}

export type ControlCall = Call<Call['params'], Call['query'], unknown, Jar, ControlShape>;

export const { route } = routesFor<Jar, ControlShape>();

/** Whether a person asks who may only look, and gets no secrets. */
export const isReader = ({ facts }: Pick<ControlCall, 'facts'>): boolean => facts.session?.role === 'reader';

export function controlFamily(adminKey: string): ApiFamily<ControlShape> {
  return {
    name: 'control',
    steps: [
      (call: ControlCall) => {
        if (call.route.traits?.anyPage !== true) refuseForeignPages(call);
      },
      (call: ControlCall) => {
        if (call.route.open) return;
        const key = bearerToken(call);
        if (key === undefined || key === null) {
          if (key === undefined && admitSession(call, { vault: call.jar.vault, adminKey })) return;
          throw controlErrors.AdminKeyMissing({}, { headers: { 'www-authenticate': 'Bearer realm="cloudjar"' } });
        }
        if (!sameText(key, adminKey)) return refuseWrong(call, controlErrors.AdminKeyWrong());
      },
      refuseNamelessDelete,
    ],
    renderError: (error) => ({
      status: error.status,
      headers: { 'content-type': 'application/json; charset=utf-8', ...error.headers },
      body: {
        error: {
          code: error.code,
          message: error.message,
          ...(error.target !== undefined && { target: error.target }),
        },
      },
    }),
    errorSchema,
    credentials: ({ open }) => (open ? [] : [ADMIN_KEY]),
    refusals,
    commonHeaders: (call) => ({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-ms-request-id': call.requestId,
    }),
    bodyLimitBytes: 16 * 1024 * 1024,
    cors: false,
    codes: {
      malformedJson: 'MalformedJson',
      invalidBody: 'InvalidBody',
      invalidQuery: 'InvalidQuery',
      bodyTooLarge: 'BodyTooLarge',
      unsupportedMediaType: 'UnsupportedMediaType',
      notFound: 'NotFound',
      methodNotAllowed: 'MethodNotAllowed',
      preconditionFailed: 'PreconditionFailed',
      internal: 'InternalError',
      unavailable: 'Unavailable',
    },
  };
}
