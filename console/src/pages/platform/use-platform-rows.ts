import { type PageOfRows, type Query, withQuery } from '../../shared/list/pages.ts';
import { type Rows, useRows } from '../../shared/list/use-rows.ts';
import type { Signal } from '../../shared/live/signals.ts';
import { usePlatform } from './api.ts';

interface PageWithToken {
  readonly next_page_token?: string | undefined;
}

interface Options<Page, Row> {
  readonly query?: Query;
  readonly rowsOf: (page: Page) => readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly on: readonly Signal[];
  /** New rows are shown at once. */
  readonly follow?: boolean;
  /** The list is read with a POST that has the query as its body. */
  readonly body?: object;
}

/** The rows of a list of the platform, which continues with a token. */
export function usePlatformRows<Page extends PageWithToken, Row>(
  path: string,
  { query = {}, rowsOf, keyOf, on, follow = false, body }: Options<Page, Row>,
): Rows<Row> {
  const platform = usePlatform();
  const first = withQuery(path, query);
  const read = async (link: string, signal: AbortSignal): Promise<PageOfRows<Row>> => {
    const page = body
      ? await platform.post<Page>(path, { ...body, ...tokenIn(link) }, signal)
      : await platform.get<Page>(link, {}, signal);
    const { next_page_token: token } = page;
    return {
      value: rowsOf(page) ?? [],
      ...(token !== undefined && token !== '' && { nextLink: withQuery(path, { ...query, page_token: token }) }),
    };
  };
  return useRows<Row>({
    listKey: `${platform.key} ${first} ${JSON.stringify(body ?? '')}`,
    read: (link, signal) => read(link ?? first, signal),
    keyOf,
    on,
    follow,
  });
}

function tokenIn(link: string): { readonly page_token?: string } {
  const token = new URL(link, location.origin).searchParams.get('page_token');
  return token === null ? {} : { page_token: token };
}
