import { type Answer, created, noContent, ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { type EntityShape, entityShape, isGuid, type ODataSet } from '../../../kernel/odata/index.ts';
import { allOf, eq, type Reader, type Stored } from '../../../kernel/store/index.ts';
import { mistake, object, type Read, text, word } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextLine, contextName, entityAnswer, pageAnswer } from '../api/show.ts';
import { categories } from '../collections.ts';
import { errors } from '../errors.ts';
import { MOST_CATEGORIES } from '../limits.ts';
import { itemKey } from '../mailbox/create.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { CATEGORY_COLORS, type Category } from './types.ts';

/** The master list of categories of a mailbox. Items contain names of categories, which need not be in the list. */

const PATH = 'outlook/masterCategories';

const displayName: Read<string> = (value, at) => {
  const name = text({ longest: 255 })(value, at).trim();
  if (name === '') throw mistake(at, 'a category needs a name');
  // Clients join several categories in one line.
  if (/[\p{Cc},;]/u.test(name)) throw mistake(at, 'commas, semicolons and control characters are not allowed');
  return name;
};

const input = object('outlookCategory', { id: (value: unknown) => value, displayName, color: word(CATEGORY_COLORS) });

const shape: EntityShape<Category> = entityShape<Category>({
  name: 'outlookCategory',
  collection: categories,
  properties: {
    id: { type: 'Edm.String', filterable: false, orderable: false },
    displayName: { type: 'Edm.String', field: 'displayName', ignoreCase: true },
    color: { type: { members: CATEGORY_COLORS }, field: 'color' },
  },
  scan: 'bounded',
});

const view = ({ id, displayName: name, color }: Category) => ({ id, displayName: name, color });
const entity = (call: MailCall, category: Category) => ({
  ...contextLine(call, `${PATH}/$entity`),
  ...view(category),
});

const categorySet = (call: MailCall): ODataSet<Category> => ({
  shape,
  name: contextName(call, PATH),
  base: baseOf(call),
  filter: eq('mailbox', call.mailbox.id),
  order: [{ field: 'displayName' }],
  view: ({ value }) => view(value),
  always: ['id'],
  codeOf,
});

export const listCategories = (call: MailCall): Promise<Answer> => pageAnswer(call, categorySet(call));

export const getCategory = async (call: MailCall): Promise<Answer> =>
  entityAnswer(call, categorySet(call), await find(call, call.jar.store));

async function find({ mailbox, params }: MailCall, reader: Reader): Promise<Stored<Category>> {
  const id = (params.category ?? '').toLowerCase();
  if (!isGuid(id)) throw errors.ErrorInvalidIdMalformed();
  const stored = await reader.get(categories, itemKey(mailbox.id, id));
  if (!stored) throw errors.ErrorItemNotFound();
  return stored;
}

export function postCategory(call: MailCall): Promise<Answer> {
  const { displayName: name, color = 'none' } = input(call.json(), '');
  if (name === undefined) throw mistake('displayName', 'it is required');
  return changeMailbox(call.jar, call.mailbox, async ({ tx, mailbox }) => {
    const own = eq('mailbox', mailbox.id);
    if ((await tx.count(categories, { filter: allOf(own, eq('displayName', name.toLowerCase())) })) > 0)
      throw errors.ErrorCategoryExists({ name }, { target: 'displayName' });
    if ((await tx.count(categories, { filter: own })) >= MOST_CATEGORIES)
      throw errors.ErrorQuotaExceeded({ reason: `it can have at most ${MOST_CATEGORIES} categories` });
    const category: Category = { id: uuid(), mailbox: mailbox.id, displayName: name, color };
    await tx.put(categories, itemKey(mailbox.id, category.id), category);
    return created(entity(call, category));
  });
}

/** Items refer to a category by its name, so only the color can change. */
export function patchCategory(call: MailCall): Promise<Answer> {
  const { displayName: name, color } = input(call.json(), '');
  return changeMailbox(call.jar, call.mailbox, async ({ tx }) => {
    const { key, value } = await find(call, tx);
    if (name !== undefined && name !== value.displayName)
      throw errors.ErrorInvalidPropertySet(
        { property: 'displayName', reason: 'it cannot be updated' },
        { target: 'displayName' },
      );
    const category: Category = { ...value, color: color ?? value.color };
    await tx.put(categories, key, category);
    return ok(entity(call, category));
  });
}

export const deleteCategory = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async ({ tx }) => {
    await tx.delete(categories, (await find(call, tx)).key);
    return noContent();
  });
