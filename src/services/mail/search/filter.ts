import type { Filter } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { ZoneName } from '../zones/wall.ts';
import { intervalOf } from './dates.ts';
import type { Operator, Search } from './kql.ts';

/** Translates a search to a filter of the store. */

export interface SearchContext {
  readonly mailbox: string;
  readonly now: number;
  readonly zone: ZoneName;
}

type Term = Extract<Search, { readonly is: 'term' }>;

/** Full-text parts (`collections.ts`) by search property. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  subject: ['subject'],
  body: ['body'],
  from: ['from'],
  to: ['to'],
  cc: ['cc'],
  bcc: ['bcc'],
  recipients: ['to', 'cc', 'bcc'],
  participants: ['from', 'to', 'cc', 'bcc'],
  attachment: ['attachment'],
  attachmentnames: ['attachment'],
};
const DEFAULT_PARTS = ['from', 'subject', 'body'];

export function searchFilter(search: Search, context: SearchContext): Filter {
  switch (search.is) {
    case 'all':
      return { op: 'and', args: search.of.map((each) => searchFilter(each, context)) };
    case 'any':
      return { op: 'or', args: search.of.map((each) => searchFilter(each, context)) };
    case 'not':
      return { op: 'not', arg: searchFilter(search.of, context) };
    case 'term':
      return termFilter(search, context);
  }
}

function termFilter(term: Term, context: SearchContext): Filter {
  const { property } = term;
  if (property === undefined) return words(term, DEFAULT_PARTS, context);
  const parts = PARTS[property];
  if (parts) return words(term, parts, context);
  const known = PROPERTIES[property];
  // A word that contains a colon, such as a time or a URL.
  if (!known) return words({ ...term, value: `${property} ${term.value}` }, DEFAULT_PARTS, context);
  return known(term, context);
}

/** Words match as prefixes; in a quoted phrase, only the last word and only with a star. */
function words({ value, isPhrase }: Term, parts: readonly string[], { mailbox }: SearchContext): Filter {
  if (value.startsWith('*'))
    throw mistake(`'${value.slice(0, 60)}' begins with a star; a star is allowed only at the end of a word`);
  const prefix = !isPhrase || value.endsWith('*');
  return { op: 'matches', within: mailbox, parts, phrase: value, prefix };
}

const PROPERTIES: Readonly<Record<string, (term: Term, context: SearchContext) => Filter>> = {
  hasattachment: (term) => ({ op: 'eq', field: 'hasAttachments', value: truth(term) }),
  hasattachments: (term) => ({ op: 'eq', field: 'hasAttachments', value: truth(term) }),
  isread: (term) => ({ op: 'eq', field: 'isRead', value: truth(term) }),
  isflagged: (term) => ({ op: truth(term) ? 'eq' : 'ne', field: 'flagStatus', value: 'flagged' }),
  importance: ({ value }) => ({ op: 'eq', field: 'importance', value: importanceOf(value) }),
  category: ({ value }) => ({ op: 'has', field: 'categories', value }),
  kind: ({ value }) => kindFilter(value.toLowerCase()),
  received: (term, context) => dateFilter('receivedAt', term, context),
  sent: (term, context) => dateFilter('sentAt', term, context),
  size: sizeFilter,
};

function truth({ value, property }: Term): boolean {
  if (/^(true|yes|1)$/i.test(value)) return true;
  if (/^(false|no|0)$/i.test(value)) return false;
  throw mistake(`'${property}' must be true or false, not '${value.slice(0, 60)}'`);
}

function importanceOf(value: string): string {
  const word = value.toLowerCase();
  if (word === 'medium' || word === 'normal') return 'normal';
  if (word === 'low' || word === 'high') return word;
  throw mistake(`the importance must be low, medium or high, not '${value.slice(0, 60)}'`);
}

/** A mailbox contains only messages, so other kinds find nothing. */
function kindFilter(kind: string): Filter {
  if (kind === 'email') return { op: 'eq', field: 'meetingMessageType', value: null };
  if (kind === 'meetings') return { op: 'ne', field: 'meetingMessageType', value: null };
  return { op: 'in', field: 'meetingMessageType', values: [] };
}

function dateFilter(field: string, { value, operator }: Term, { now, zone }: SearchContext): Filter {
  const [first = '', last = first] = value.split('..');
  const from = intervalOf(first, now, zone);
  const to = intervalOf(last, now, zone);
  if (!from || !to) throw mistake(`'${value.slice(0, 60)}' is not a day or a range of days`);
  return within(field, operator, from.from, to.to);
}

function sizeFilter({ value, operator }: Term): Filter {
  const [, first, last = first] = /^(\d{1,12})(?:\.\.(\d{1,12}))?$/.exec(value) ?? [];
  if (first === undefined) throw mistake(`'${value.slice(0, 60)}' is not a size in bytes`);
  return within('size', operator, Number(first), Number(last) + 1);
}

/** The value covers the range from `from` up to, but not including, `to`. */
function within(field: string, operator: Operator, from: number, to: number): Filter {
  switch (operator) {
    case '>':
      return { op: 'ge', field, value: to };
    case '>=':
      return { op: 'ge', field, value: from };
    case '<':
      return { op: 'lt', field, value: from };
    case '<=':
      return { op: 'lt', field, value: to };
    case '<>':
      return { op: 'not', arg: within(field, ':', from, to) };
    default:
      return {
        op: 'and',
        args: [
          { op: 'ge', field, value: from },
          { op: 'lt', field, value: to },
        ],
      };
  }
}

export const mistake = (reason: string) =>
  errors.ErrorInvalidUrlQuery({ reason: `The '$search' is not valid: ${reason}.` }, { target: '$search' });
