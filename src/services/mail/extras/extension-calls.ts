import { type Answer, created, noContent, ok } from '../../../kernel/http/index.ts';
import { mistake } from '../api/fields.ts';
import type { MailCall, Operation } from '../api/request.ts';
import { baseOf, contextLine } from '../api/show.ts';
import { errors } from '../errors.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import {
  type Extension,
  extensionId,
  extensionView,
  findExtension,
  readExtension,
  withExtension,
} from './extensions.ts';
import { type Item, type ItemSource, itemName, withArticle } from './item.ts';

/** Operations on single open extensions of an item. */

const nameOf = (source: ItemSource, call: MailCall, item: Item): string => `${itemName(source, call, item)}/extensions`;

const entity = (source: ItemSource, call: MailCall, item: Item, extension: Extension): Record<string, unknown> => ({
  ...contextLine(call, `${nameOf(source, call, item)}/$entity`),
  ...extensionView(extension),
});

function named({ document }: Item, { params }: MailCall): Extension {
  const found = findExtension(document.extensions, params.extension ?? '');
  if (!found) throw errors.ErrorItemNotFound();
  return found;
}

const listExtensions =
  (source: ItemSource) =>
  async (call: MailCall): Promise<Answer> => {
    const item = await source.find(call);
    const all = Object.entries(item.document.extensions ?? {}).map(([name, values]) => extensionView({ name, values }));
    return ok({ ...contextLine(call, nameOf(source, call, item)), value: all });
  };

const getExtension =
  (source: ItemSource) =>
  async (call: MailCall): Promise<Answer> => {
    const item = await source.find(call);
    return ok(entity(source, call, item, named(item, call)));
  };

const postExtension =
  (source: ItemSource) =>
  async (call: MailCall): Promise<Answer> => {
    const { name, values } = readExtension(call.json(), '');
    if (name === undefined) throw mistake('extensionName', 'it is required');
    return changeMailbox(call.jar, call.mailbox, async (writer) => {
      const item = await source.find(call, writer.tx);
      if (findExtension(item.document.extensions, name))
        throw errors.ErrorExtensionExists({ name }, { target: 'extensionName' });
      const extensions = withExtension(item.document.extensions, name, values);
      const changed = await item.change(writer, { extensions });
      const location = `${baseOf(call)}/users('${call.mailbox.id}')/${nameOf(source, call, changed)}('${extensionId(name)}')`;
      return created(entity(source, call, changed, { name, values: extensions[name] ?? {} }), { location });
    });
  };

/** Sent properties replace those with the same name; null removes a property. */
const patchExtension =
  (source: ItemSource) =>
  async (call: MailCall): Promise<Answer> => {
    const { name, values } = readExtension(call.json() ?? {}, '');
    return changeMailbox(call.jar, call.mailbox, async (writer) => {
      const item = await source.find(call, writer.tx);
      const before = named(item, call);
      if (name !== undefined && name.toLowerCase() !== before.name.toLowerCase())
        throw mistake('extensionName', 'the name of an extension cannot be changed');
      const extensions = withExtension(item.document.extensions, before.name, values);
      const changed = await item.change(writer, { extensions });
      return ok(entity(source, call, changed, { name: before.name, values: extensions[before.name] ?? {} }));
    });
  };

const deleteExtension =
  (source: ItemSource) =>
  (call: MailCall): Promise<Answer> =>
    changeMailbox(call.jar, call.mailbox, async (writer) => {
      const item = await source.find(call, writer.tx);
      const { name } = named(item, call);
      const { [name]: _removed, ...extensions } = item.document.extensions ?? {};
      await item.change(writer, { extensions });
      return noContent();
    });

export function extensionOperations(source: ItemSource): readonly Operation[] {
  const { kind, set, needs } = source;
  const path = `${set}/{${kind}}/extensions`;
  const of = kind === 'message' ? 'Message' : 'Event';
  const one = `${path}/{extension}`;
  const rows: readonly (readonly [Operation['method'], string, string, string, Operation['handle']])[] = [
    ['GET', path, `List${of}Extensions`, `The open extensions of ${withArticle(kind)}`, listExtensions(source)],
    ['POST', path, `Add${of}Extension`, `Adds an open extension to ${withArticle(kind)}`, postExtension(source)],
    ['GET', one, `Get${of}Extension`, `One open extension of ${withArticle(kind)}`, getExtension(source)],
    ['PATCH', one, `Update${of}Extension`, `Changes an open extension of ${withArticle(kind)}`, patchExtension(source)],
    [
      'DELETE',
      one,
      `Delete${of}Extension`,
      `Removes an open extension of ${withArticle(kind)}`,
      deleteExtension(source),
    ],
  ];
  return rows.map(([method, at, name, summary, handle]) => ({
    method,
    path: at,
    name,
    summary,
    needs: method === 'GET' ? needs.read : needs.write,
    handle,
  }));
}
