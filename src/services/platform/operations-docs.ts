import { ratesOf } from './limits/declared.ts';
import type { Need, Operation } from './operation.ts';
import { OPERATIONS } from './routes.ts';

/** The table of `docs/services/platform-operations.md`, generated from the rows that are served. */

const WHO: Readonly<Record<Need, string>> = {
  user: '',
  admin: 'administrators of the workspace',
  accountAdmin: 'administrators of the account',
};

const code = (text: string): string => `\`${text}\``;

function line(row: Operation): string {
  const { method, path, versions = ['2.0'], bare = [], summary } = row;
  const needs = row.needs ?? (path.startsWith('/accounts/{account_id}') ? 'accountAdmin' : 'user');
  const rates = row.open ? [] : ratesOf(method, row.rated ?? path);
  const cells = [
    code(`${method} ${path}`),
    versions.join(', '),
    summary,
    WHO[needs],
    rates.map(({ name }) => code(name.replace('platform.rate.', ''))).join(', '),
    bare.map(code).join(', '),
  ];
  return `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |');
}

const HEAD = ['operation', 'versions', 'summary', 'callers', 'rate limit', 'also at'];

const START = '<!-- begin: operations -->';
const END = '<!-- end: operations -->';

/** The page with its generated table updated. Throws if the page lacks a marker. */
export function withOperationTable(page: string): string {
  const [from, to] = [page.indexOf(START), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('the page has no marker for the table of operations');
  const rows = [...OPERATIONS]
    .sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0))
    .map(line);
  const head = `| ${HEAD.join(' | ')} |`.replaceAll('|  |', '| |');
  return `${page.slice(0, from + START.length)}\n${[head, `|${'---|'.repeat(HEAD.length)}`, ...rows].join('\n')}\n${page.slice(to)}`;
}
