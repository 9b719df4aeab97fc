import { lazyRoute, type Route, type RouteHead } from '../../kernel/http/route.ts';

/** On the hosts that all resources share, and on that of one resource. */
const PLACES = [
  ['', ''],
  ['/translator/text/v3.0', 'OfResource'],
] as const;

type Code = Parameters<typeof lazyRoute>[1];
type Operation = Omit<RouteHead, 'operation'> & { readonly operation: string; readonly code: Code };

const OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/detect',
    operation: 'Translator_Detect',
    summary: 'The language of each text of a list',
    accepts: 'bytes',
    code: async () => (await import('./api/detect.ts')).detect,
  },
  {
    method: 'POST',
    path: '/breaksentence',
    operation: 'Translator_BreakSentence',
    summary: 'Where the sentences of each text of a list end',
    accepts: 'bytes',
    code: async () => (await import('./api/break-sentence.ts')).breakSentence,
  },
  {
    method: 'GET',
    path: '/languages',
    operation: 'Translator_Languages',
    summary: 'The languages that there are, by what can be done with them',
    open: true,
    code: async () => (await import('./api/languages.ts')).languages,
  },
  {
    method: 'POST',
    path: '/sts/v1.0/issueToken',
    operation: 'Translator_IssueToken',
    summary: 'A token that stands for a subscription key for ten minutes',
    accepts: 'bytes',
    traits: { unversioned: true, keysOnly: true },
    code: async () => (await import('./api/issue-token.ts')).giveToken,
  },
  notOffered('/translate', 'Translator_Translate'),
  notOffered('/transliterate', 'Translator_Transliterate'),
  notOffered('/dictionary/lookup', 'Translator_DictionaryLookup'),
  notOffered('/dictionary/examples', 'Translator_DictionaryExamples'),
];

/** What the real service has beside detection: told apart from an address that is nowhere. */
function notOffered(path: string, operation: string): Operation {
  return {
    method: 'POST',
    path,
    operation,
    summary: 'Not offered by a jar',
    accepts: 'bytes',
    code: async () => (await import('./api/not-offered.ts')).notOffered,
  };
}

export const translatorRoutes: readonly Route[] = PLACES.flatMap(([prefix, suffix]) =>
  OPERATIONS.map(({ code, ...head }) =>
    lazyRoute({ ...head, path: prefix + head.path, operation: head.operation + suffix }, code),
  ),
);
