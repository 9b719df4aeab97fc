import { type Answer, created, noContent, ok } from '../../../../kernel/http/index.ts';
import { etag, uuid } from '../../../../kernel/ids/index.ts';
import { mistake, nullable, object, text } from '../../api/fields.ts';
import type { MailCall } from '../../api/request.ts';
import { contextLine } from '../../api/show.ts';
import { calendarGroups, calendars } from '../../collections.ts';
import { errors } from '../../errors.ts';
import { changeMailbox, type MailboxWriter } from '../../mailbox/writer.ts';
import type { CalendarGroup } from '../types.ts';
import { containerName } from './change.ts';
import { groupNamed } from './find.ts';
import { shownGroup } from './view.ts';

/** Only the owner of the mailbox creates, changes and deletes calendar groups. */

const ignored = nullable(text());
const groupInput = object('calendarGroup', {
  name: containerName,
  id: ignored,
  classId: ignored,
  changeKey: ignored,
});

export function postGroup(call: MailCall): Promise<Answer> {
  const { name } = groupInput(call.json(), '');
  if (name === undefined) throw mistake('name', 'it is required');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    await checkName(writer, name);
    const number = writer.nextNumber();
    const group: CalendarGroup = {
      uid: etag(),
      mailbox: call.mailbox.id,
      name,
      classId: uuid(),
      isDefault: false,
      number,
      createdNumber: number,
    };
    await writer.tx.put(calendarGroups, writer.key(group.uid), group);
    return created(entity(call, group));
  });
}

export function patchGroup(call: MailCall): Promise<Answer> {
  const { name } = groupInput(call.json(), '');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const before = await groupNamed(writer.tx, call.mailbox, call.params.group ?? '');
    if (name !== undefined) await checkName(writer, name, before.uid);
    const group = { ...before, ...(name !== undefined && { name }), number: writer.nextNumber() };
    await writer.tx.put(calendarGroups, writer.key(group.uid), group);
    return ok(entity(call, group));
  });
}

/** Deletes an empty group. The default group cannot be deleted. */
export const deleteGroup = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async (writer) => {
    const group = await groupNamed(writer.tx, call.mailbox, call.params.group ?? '');
    if (group.isDefault) throw errors.ErrorDeleteDistinguishedFolder({ name: group.name });
    const filter = {
      op: 'and',
      args: [
        { op: 'eq', field: 'mailbox', value: call.mailbox.id },
        { op: 'eq', field: 'group', value: group.uid },
      ],
    } as const;
    const held = await writer.tx.count(calendars, { filter });
    if (held > 0)
      throw errors.ErrorInvalidRequest({
        reason: `The group '${group.name}' contains ${held} calendars; only an empty group can be deleted.`,
      });
    writer.nextNumber();
    await writer.tx.delete(calendarGroups, writer.key(group.uid));
    return noContent();
  });

async function checkName({ tx, mailbox }: MailboxWriter, name: string, except?: string): Promise<void> {
  const filter = {
    op: 'and',
    args: [
      { op: 'eq', field: 'mailbox', value: mailbox.id },
      { op: 'eq', field: 'name', value: name.toLowerCase() },
    ],
  } as const;
  const { items } = await tx.query(calendarGroups, { filter, limit: 2 });
  if (items.some(({ value }) => value.uid !== except)) throw errors.ErrorFolderExists({ name }, { target: 'name' });
}

const entity = (call: MailCall, group: CalendarGroup): Record<string, unknown> => ({
  ...contextLine(call, 'calendarGroups/$entity'),
  ...shownGroup(group),
});
