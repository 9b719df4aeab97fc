import type { Answer } from '../../../kernel/http/index.ts';
import {
  type ODataError,
  type ODataSet,
  odataEntity,
  odataPage,
  type PageRules,
  readQueryOptions,
} from '../../../kernel/odata/index.ts';
import type { Stored } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { type IdForm, mailboxMark, writeContainerId, writeId } from '../mailbox/ids.ts';
import { lightPages } from '../messages/light-pages.ts';
import type { MailCall } from './request.ts';

/** Answers with lists and single items. */

export const PAGE: PageRules = { size: 10, most: 1000, top: 'page' };

export const baseOf = ({ origin, version }: Pick<MailCall, 'origin' | 'version'>): string => `${origin}/${version}`;

/** `users('{id}')/messages`: the context name, also if the client wrote `me`. */
export const contextName = ({ mailbox }: MailCall, rest: string): string => `users('${mailbox.id}')/${rest}`;

export const contextLine = (call: MailCall, rest: string) => ({
  '@odata.context': `${baseOf(call)}/$metadata#${contextName(call, rest)}`,
});

export const idForm = ({ prefer }: Pick<MailCall, 'prefer'>): IdForm => (prefer.immutableIds ? 'immutable' : 'regular');

interface Item {
  readonly mailbox: string;
  readonly uid: string;
  readonly generation: number;
}

/** The id of an item in the form that the client prefers. */
export const shownId = (call: Pick<MailCall, 'prefer'>, { mailbox, uid, generation }: Item, day?: string): string =>
  writeId({
    form: idForm(call),
    mailboxMark: mailboxMark(mailbox),
    uid,
    generation,
    ...(day !== undefined && { day }),
  });

export const containerId = (mailbox: string, uid: string): string => writeContainerId(mailboxMark(mailbox), uid);

/** The input of the kernel's query functions. */
export const listing = (call: MailCall) => ({
  jar: { ...call.jar, store: lightPages(call.jar.store) },
  query: call.query,
  headers: call.headers,
  path: `/${call.version}/${call.mailbox.id}/${call.path}`,
  receivedAt: call.receivedAt,
  origin: call.origin,
  url: `/${call.version}/${call.path}${call.search === '' ? '' : `?${call.search}`}`,
});

export function codeOf({ option, code }: ODataError): string {
  if (option === '$filter') return code === 'TooComplex' ? 'InefficientFilter' : 'ErrorInvalidUrlQueryFilter';
  if (code === 'UnknownProperty' && option === '$select') return 'RequestBroker--ParseUri';
  return option === '$expand' ? 'BadRequest' : 'ErrorInvalidUrlQuery';
}

/** A page of a set. Its next link uses `$skip`, as clients of the real service expect. */
export async function pageAnswer<T>(call: MailCall, set: ODataSet<T>, rules: PageRules = PAGE): Promise<Answer> {
  const { top = call.prefer.pageSize ?? rules.size, skip = 0, skipToken, search } = optionsOf(call);
  if (search !== undefined) {
    const reason = "The query parameter '$search' is supported only for messages.";
    throw errors.ErrorInvalidUrlQuery({ reason }, { target: '$search' });
  }
  if (top > rules.most) {
    const reason = `The limit of '${rules.most}' for Top query has been exceeded. The value from the incoming request is '${top}'.`;
    throw errors.ErrorInvalidUrlQuery({ reason }, { target: '$top' });
  }
  const answer = await odataPage(listing(call), set, rules);
  const body = answer.body as { readonly value: readonly unknown[]; readonly '@odata.nextLink'?: string };
  // A short page means that a bounded search continues after it: a `$skip` count cannot express its position.
  if (body['@odata.nextLink'] === undefined || skipToken !== undefined || body.value.length < top) return answer;
  return { ...answer, body: { ...body, '@odata.nextLink': skipLink(call, skip + body.value.length) } };
}

/** The request's URL with another `$skip`. */
export function skipLink(call: MailCall, skip: number): string {
  const kept = call.search.split('&').filter((pair) => pair !== '' && !/^(\$|%24)?skip=/i.test(pair));
  return `${baseOf(call)}/${call.path}?${[...kept, `$skip=${skip}`].join('&')}`;
}

export const entityAnswer = <T>(call: MailCall, set: ODataSet<T>, stored: Stored<T>): Promise<Answer> =>
  odataEntity(listing(call), set, stored);

export function optionsOf(call: MailCall) {
  try {
    return readQueryOptions(call.query);
  } catch (error) {
    throw errors.ErrorInvalidUrlQuery({ reason: error instanceof Error ? error.message : String(error) });
  }
}

/** True if `$select` names the property. Some properties are shown only then. */
export function selects({ query }: Pick<MailCall, 'query'>, property: string): boolean {
  const select = Object.entries(query).find(([name]) => /^\$?select$/i.test(name))?.[1];
  return (
    typeof select === 'string' &&
    select
      .toLowerCase()
      .split(/[\s,/]+/)
      .includes(property.toLowerCase())
  );
}
