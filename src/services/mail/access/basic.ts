import type { ExpandOptions } from '../../../kernel/odata/index.ts';
import type { MailCall, RequestHead } from '../api/request.ts';
import { errors } from '../errors.ts';

/** Properties that a basic permission does not show cannot be used in a filter or an order either, since the result would reveal them. */
const CONTENT =
  /(?<![\w.])(?:body|bodyPreview|uniqueBody|attachments|extensions|singleValueExtendedProperties|multiValueExtendedProperties)(?!\w)/i;
const TEXTS = /'[^']*'/g;

/** Checks the query of a token with only a basic permission. Quoted strings are not checked. */
export function checkBasicQuery({ query }: Pick<RequestHead, 'query'>): void {
  for (const [name, value] of Object.entries(query)) {
    if (!/^\$?(?:filter|orderby)$/i.test(name) || typeof value !== 'string') continue;
    const property = CONTENT.exec(value.replace(TEXTS, "''"))?.[0];
    if (property !== undefined) throw errors.ErrorAccessDenied__Content({ property }, { target: name });
  }
}

/** Options of an expansion that returns content, which a basic permission does not allow. */
export function readable({ isBasic }: Pick<MailCall, 'isBasic'>, options: ExpandOptions): ExpandOptions {
  if (isBasic) throw errors.ErrorAccessDenied();
  return options;
}
