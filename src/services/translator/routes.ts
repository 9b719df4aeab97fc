import { type AnyRouteCode, type Route, type RouteHead, routeOf } from '../../kernel/http/index.ts';
import { breakSentence } from './api/break-sentence.ts';
import { detect } from './api/detect.ts';
import { giveToken } from './api/issue-token.ts';
import { languages } from './api/languages.ts';
import { notOffered } from './api/not-offered.ts';

/** Paths on hosts shared by all resources, and on the host of one resource. */
const PLACES = [
  ['', ''],
  ['/translator/text/v3.0', 'OfResource'],
] as const;

type Operation = RouteHead & { readonly code: AnyRouteCode };

const OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/detect',
    operation: 'Translator_Detect',
    summary: 'Detects the language of each text of a list',
    accepts: 'bytes',
    safe: true,
    code: detect,
  },
  {
    method: 'POST',
    path: '/breaksentence',
    operation: 'Translator_BreakSentence',
    summary: 'The lengths of the sentences of each text of a list',
    accepts: 'bytes',
    safe: true,
    code: breakSentence,
  },
  {
    method: 'GET',
    path: '/languages',
    operation: 'Translator_Languages',
    summary: 'The supported languages, by operation',
    open: true,
    code: languages,
  },
  {
    method: 'POST',
    path: '/sts/v1.0/issueToken',
    operation: 'Translator_IssueToken',
    summary: 'Issues a token that replaces a subscription key for ten minutes',
    accepts: 'bytes',
    traits: { unversioned: true, keysOnly: true },
    code: giveToken,
  },
  unavailable('/translate', 'Translator_Translate'),
  unavailable('/transliterate', 'Translator_Transliterate'),
  unavailable('/dictionary/lookup', 'Translator_DictionaryLookup'),
  unavailable('/dictionary/examples', 'Translator_DictionaryExamples'),
];

/** Operations of the real service that the jar lacks: their error differs from that of an unknown address. */
function unavailable(path: string, operation: string): Operation {
  return {
    method: 'POST',
    path,
    operation,
    summary: 'Not offered by a jar',
    accepts: 'bytes',
    code: notOffered,
  };
}

export const translatorRoutes: readonly Route[] = PLACES.flatMap(([prefix, suffix]) =>
  OPERATIONS.map(({ code, ...head }) =>
    routeOf({ ...head, path: prefix + head.path, operation: head.operation + suffix }, code),
  ),
);
