import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { type Answer, ok } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { groupsIn, SCOPES, type Scope } from '../languages/groups.ts';
import { preferredLocale } from '../languages/naming.ts';
import { headerText } from '../query.ts';
import { COMMON_PARAMETERS } from './parameters.ts';

const Named = { name: Type.String(), nativeName: Type.String() };
const Directed = { ...Named, dir: Type.Enum(['ltr', 'rtl']) };
const Coded = Type.Object({ ...Directed, code: Type.String() });

const Languages = Type.Object(
  {
    translation: Type.Optional(Type.Record(Type.String(), Type.Object(Directed))),
    transliteration: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({
          ...Named,
          scripts: Type.Array(Type.Intersect([Coded, Type.Object({ toScripts: Type.Array(Coded) })])),
        }),
      ),
    ),
    dictionary: Type.Optional(
      Type.Record(Type.String(), Type.Object({ ...Directed, translations: Type.Array(Coded) })),
    ),
  },
  { additionalProperties: false },
);

export const languages = routeCode([], {
  query: Type.Object({ ...COMMON_PARAMETERS, scope: Type.Optional(Type.String()) }),
  responses: { 200: Languages, 304: 'The cached answer of the client is current' },
  handle(call): Answer {
    const scopes = readScopes(call.query.scope);
    const { body, etag, locale } = documentIn(preferredLocale(headerText(call, 'accept-language')), scopes);
    const headers = { etag, 'content-language': locale, vary: 'Accept-Language' };
    if (isCurrent(headerText(call, 'if-none-match'), etag)) return { status: 304, headers };
    return ok(body, headers);
  },
});

/** In the order of the groups, whatever the order of the request. */
function readScopes(asked: string | undefined): readonly Scope[] {
  if (asked === undefined) return SCOPES;
  const names = asked.split(',').map((name) => name.trim().toLowerCase());
  const unknown = names.find((name) => !SCOPES.includes(name as Scope));
  if (unknown !== undefined) {
    throw errors.InvalidScope({ scope: unknown.slice(0, 60), known: SCOPES.join(', ') }, { target: 'scope' });
  }
  return SCOPES.filter((scope) => names.includes(scope));
}

interface LanguageDocument {
  readonly body: object;
  readonly etag: string;
  readonly locale: string;
}

/** Cached answers: few locales are requested repeatedly. */
const documents = new Map<string, LanguageDocument>();
const MOST_DOCUMENTS = 64;

function documentIn(locale: string, scopes: readonly Scope[]): LanguageDocument {
  const name = `${locale} ${scopes.join()}`;
  let document = documents.get(name);
  if (!document) {
    const body = groupsIn(locale, scopes);
    const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
    document = { body, etag: `"${digest}"`, locale };
    if (documents.size >= MOST_DOCUMENTS) documents.clear();
    documents.set(name, document);
  }
  return document;
}

/** Weak comparison (RFC 9110, 13.1.2). */
function isCurrent(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag);
}
