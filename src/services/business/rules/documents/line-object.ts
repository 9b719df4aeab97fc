import { errors } from '../../errors.ts';
import type { Books } from '../../records/books.ts';
import { NO_GUID, type Row } from '../../records/row.ts';
import { share } from '../money.ts';
import { refusal } from '../refuse.ts';
import type { Draft } from '../types.ts';
import { requirePostingAccount, requireUnblockedItem } from './blocked.ts';
import { exchangeRate } from './exchange-rate.ts';
import type { DocumentKind } from './kinds.ts';
import { taxRates } from './tax.ts';

/** Tables that a line can refer to, by line type, with the fields of the reference. */
const OBJECTS: Readonly<Record<string, { readonly table: string; readonly id: string; readonly other: string }>> = {
  Item: { table: 'item', id: 'itemId', other: 'accountId' },
  Account: { table: 'account', id: 'accountId', other: 'itemId' },
};

/** Fields that determine the object of a line. */
export const OBJECT_FIELDS: readonly string[] = ['itemId', 'accountId', 'lineType', 'lineObjectNumber'];

/** Finds the object of a line, by id or by type and number, and sets all fields that refer to it. */
export async function settleObject(books: Books, draft: Draft, given: ReadonlySet<string>): Promise<Row | undefined> {
  const isGiven = (field: string): boolean => given.has(field) && draft[field] !== NO_GUID;
  if (isGiven('itemId') && isGiven('accountId')) {
    throw refusal('Both "itemId" and "accountId" are specified. Specify only one of them.', 'itemId');
  }
  const meant = isGiven('itemId') ? 'Item' : isGiven('accountId') ? 'Account' : undefined;
  if (meant !== undefined && given.has('lineType') && draft.lineType !== meant) {
    throw refusal(`The "lineType" must be '${meant}' for "${OBJECTS[meant]!.id}".`, 'lineType');
  }
  const lineType = meant ?? (draft.lineType as string);
  draft.lineType = lineType;
  const object = OBJECTS[lineType];
  if (!object) return withoutObject(draft, given);
  const found =
    meant === undefined
      ? await byNumber(books, draft, object.table, object.id)
      : await books.get(object.table, draft[object.id] as string);
  if (!found)
    throw refusal(
      `A "${object.id}" or a "lineObjectNumber" must be provided for a line of type '${lineType}'.`,
      object.id,
    );
  draft[object.id] = found.id;
  draft[object.other] = NO_GUID;
  draft.lineObjectNumber = found.text('number');
  draft.lineObjectName = found.text('displayName');
  if (lineType === 'Item') requireUnblockedItem(found);
  else requirePostingAccount(found, 'accountId');
  return found;
}

function withoutObject(draft: Draft, given: ReadonlySet<string>): undefined {
  if (draft.lineType !== 'Comment') {
    throw refusal(`Lines of type '${draft.lineType}' are not supported: use Item, Account or Comment.`, 'lineType');
  }
  const amount = ['quantity', 'unitPrice', 'unitCost'].find((field) => given.has(field) && draft[field] !== 0);
  if (amount !== undefined) {
    throw refusal(`A line that names no item and no account is a comment, and cannot have "${amount}".`, amount);
  }
  draft.itemId = NO_GUID;
  draft.accountId = NO_GUID;
  return undefined;
}

async function byNumber(books: Books, draft: Draft, table: string, id: string): Promise<Row | undefined> {
  const number = draft.lineObjectNumber as string;
  if (number === '') return draft[id] === NO_GUID ? undefined : books.get(table, draft[id] as string);
  const found = await books.find(table, { number });
  if (found) return found;
  const { caption } = books.model.table(table);
  throw errors.Internal_InvalidTableRelation(
    { field: 'lineObjectNumber', value: number, table: caption },
    { target: 'lineObjectNumber' },
  );
}

/** Copies defaults from the item or account to the line, unless values are given. */
export async function fillFromObject(
  books: Books,
  kind: DocumentKind,
  header: Row,
  draft: Draft,
  object: Row,
  given: ReadonlySet<string>,
): Promise<void> {
  const put = (field: string, value: Draft[string]): void => {
    if (!given.has(field)) draft[field] = value;
  };
  put('description', object.text('displayName'));
  if (draft.lineType !== 'Item') return put('taxCode', '');
  put('description2', object.text('displayName2'));
  put('taxCode', object.text('taxGroupCode'));
  if (!given.has('unitOfMeasureId') && !given.has('unitOfMeasureCode')) {
    draft.unitOfMeasureId = object.text('baseUnitOfMeasureId');
    draft.unitOfMeasureCode = object.text('baseUnitOfMeasureCode');
    draft.unitOfMeasureName = object.text('baseUnitOfMeasureName');
    draft.unitOfMeasureSymbol = object.text('baseUnitOfMeasureSymbol');
  }
  if (given.has(kind.price)) return;
  const price = kind.price === 'unitCost' ? object.number('unitCost') : await salesPrice(books, header, draft, object);
  draft[kind.price] = share(price, 1, await exchangeRate(books, header));
}

/** Converts between an item price with tax and a document without, and vice versa. */
async function salesPrice(books: Books, header: Row, draft: Draft, item: Row): Promise<number> {
  const price = item.number('unitPrice');
  const isIncluded = item.get('priceIncludesTax') === true;
  const wantsIncluded = 'pricesIncludeTax' in header.table.fields && header.get('pricesIncludeTax') === true;
  if (isIncluded === wantsIncluded) return price;
  const customer = await books.get('customer', header.text('customerId'));
  const percent = await (await taxRates(books, customer))(draft.taxCode as string);
  return isIncluded ? share(price, 100, 100 + percent) : share(price, 100 + percent, 100);
}
