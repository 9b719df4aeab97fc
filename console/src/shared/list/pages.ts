import { bodyOf, CONSOLE_HEADERS, type paths } from '../api/control.ts';
import { failureOf } from '../api/failure.ts';
import { askService, type ServiceRequest } from '../api/service.ts';
import { sessionEnded } from '../api/session.ts';

/** One page of a list, in the shape that the control API and the services share. */
export interface PageOfRows<Row> {
  readonly value: readonly Row[];
  readonly nextLink?: string;
}

/** The lists of the control API, by path, and their rows. */
export type ListPath = {
  [P in keyof paths]: paths[P] extends {
    get: { responses: { 200: { content: { 'application/json': { value: unknown[] } } } } };
  }
    ? P
    : never;
}[keyof paths];

export type RowOf<P extends ListPath> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': { value: (infer Row)[] } } } } };
}
  ? Row
  : never;

export type Query = Readonly<Record<string, string | number | undefined>>;

export function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') params.set(name, String(value));
  const text = params.toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

/** Reads a page of a list of the control API. */
export async function readControlPage<Row>(path: string, signal?: AbortSignal): Promise<PageOfRows<Row>> {
  const response = await fetch(path, { headers: CONSOLE_HEADERS, cache: 'no-store', ...(signal && { signal }) });
  const body = await bodyOf(response);
  if (response.status === 401) sessionEnded.announce();
  if (!response.ok) throw failureOf(response.status, body);
  return body as PageOfRows<Row>;
}

/** Reads a page of a list of a service: `value` with `nextLink` or `@odata.nextLink`. */
export async function readServicePage<Row>(path: string, request: ServiceRequest = {}): Promise<PageOfRows<Row>> {
  const { body } = await askService<PageOfRows<Row> & { readonly '@odata.nextLink'?: string }>(path, request);
  const nextLink = body.nextLink ?? body['@odata.nextLink'];
  return { value: body.value, ...(nextLink && { nextLink }) };
}

/** Links of a list are absolute, by the name under which the jar knows itself; the page uses its own. */
export function ownPath(link: string): string {
  const { pathname, search } = new URL(link, location.origin);
  return pathname + search;
}
