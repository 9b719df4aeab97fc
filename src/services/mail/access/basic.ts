import type { ExpandOptions } from '../../../kernel/odata/index.ts';
import type { MailCall, RequestHead } from '../api/request.ts';
import { errors } from '../errors.ts';

/** What a basic permission does not show cannot be asked for by a filter or an order either: the answer would tell it. */
const CONTENT =
  /(?<![\w.])(?:body|bodyPreview|uniqueBody|attachments|extensions|singleValueExtendedProperties|multiValueExtendedProperties)(?!\w)/i;
const TEXTS = /'[^']*'/g;

/** Of a token with a basic permission alone. Texts in quotes may say anything. */
export function checkBasicQuery({ query }: Pick<RequestHead, 'query'>): void {
  for (const [name, value] of Object.entries(query)) {
    if (!/^\$?(?:filter|orderby)$/i.test(name) || typeof value !== 'string') continue;
    const property = CONTENT.exec(value.replace(TEXTS, "''"))?.[0];
    if (property !== undefined) throw errors.ErrorAccessDenied__Content({ property }, { target: name });
  }
}

/** The options of an expansion that brings in content, which is no part of what a basic permission allows. */
export function readable({ isBasic }: Pick<MailCall, 'isBasic'>, options: ExpandOptions): ExpandOptions {
  if (isBasic) throw errors.ErrorAccessDenied();
  return options;
}
