import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Directory, users } from '../../../../src/kernel/auth/directory.ts';
import { openSqlite, type Store } from '../../../../src/kernel/store/index.ts';
import { folders, messageRules, messages } from '../../../../src/services/mail/collections.ts';
import { putNewFolder } from '../../../../src/services/mail/folders/place.ts';
import { MAIL } from '../../../../src/services/mail/index.ts';
import type { MailJar } from '../../../../src/services/mail/jar.ts';
import { ensureMailbox, itemKey } from '../../../../src/services/mail/mailbox/create.ts';
import type { Mailbox } from '../../../../src/services/mail/mailbox/types.ts';
import { changeMailbox } from '../../../../src/services/mail/mailbox/writer.ts';
import { createMessage } from '../../../../src/services/mail/messages/write.ts';
import { applyRules } from '../../../../src/services/mail/rules/apply.ts';
import type { RuleActions } from '../../../../src/services/mail/rules/types.ts';
import { mail, OWNER, rule } from './sample.ts';

/** The parts of a jar that a mailbox needs. */
async function openMailbox(): Promise<{ store: Store; jar: MailJar; mailbox: Mailbox }> {
  const store = await openSqlite({ collections: [...(MAIL.collections ?? []), users] });
  onTestFinished(() => store.close());
  const user = { id: 'box', tenantId: 't', alias: 'admin', username: OWNER, displayName: 'Ada', attributes: {} };
  await store.transact((tx) => tx.put(users, 'box', user));
  const jar = { store, directory: new Directory(store), clock: { now: () => 1_000_000 } } as never;
  const mailbox = await ensureMailbox(jar, 'box');
  return { store, jar, mailbox: mailbox as Mailbox };
}

describe('rules that are applied', () => {
  let opened: Awaited<ReturnType<typeof openMailbox>>;
  let partners: string;

  beforeEach(async () => {
    opened = await openMailbox();
    const { jar, mailbox, store } = opened;
    const root = (await store.get(folders, itemKey('box', mailbox.wellKnown.msgfolderroot)))!.value;
    const folder = await changeMailbox(jar, mailbox, (writer) =>
      putNewFolder(writer, root, { displayName: 'Partners', isHidden: false }),
    );
    partners = folder.uid;
  });

  const applied = async (...actions: RuleActions[]) => {
    const { jar, mailbox } = opened;
    return changeMailbox(jar, mailbox, async (writer) => {
      writer.addRules(actions.length);
      for (const [at, each] of actions.entries())
        await writer.tx.put(
          messageRules,
          writer.key(`rule${at}`),
          rule({ uid: `rule${at}`, sequence: at, actions: each }),
        );
      const { uid: _, ...arrived } = mail({ folder: mailbox.wellKnown.inbox });
      const message = await createMessage(writer, arrived);
      return applyRules(writer, message);
    });
  };

  const counts = async (uid: string) => {
    const { total, unread } = (await opened.store.get(folders, itemKey('box', uid)))!.value;
    expect(await opened.store.count(messages, { filter: { op: 'eq', field: 'folder', value: uid } })).toBe(total);
    return { total, unread };
  };

  it('leave a message unchanged if there are none', async () => {
    const { message, forwardTo } = await applied();
    expect(message).toMatchObject({ folder: opened.mailbox.wellKnown.inbox, isRead: false });
    expect(forwardTo).toEqual([]);
  });

  it('mark, copy and move it, and keep the counts of all folders', async () => {
    const { archive, inbox } = opened.mailbox.wellKnown;
    const { message } = await applied(
      { markAsRead: true, markImportance: 'high', assignCategories: ['Partner'] },
      { copyToFolder: archive, moveToFolder: partners },
    );
    expect(message).toMatchObject({
      folder: partners,
      isRead: true,
      importance: 'high',
      categories: ['Red category', 'Partner'],
    });
    expect(await counts(inbox)).toEqual({ total: 0, unread: 0 });
    expect(await counts(archive)).toEqual({ total: 1, unread: 0 });
    expect(await counts(partners)).toEqual({ total: 1, unread: 0 });
  });

  it('delete it to the deleted items, or remove it', async () => {
    const { deleteditems, inbox } = opened.mailbox.wellKnown;
    expect((await applied({ delete: true })).message?.folder).toBe(deleteditems);
    expect((await applied({ permanentDelete: true, copyToFolder: partners })).message).toBeUndefined();
    expect(await counts(deleteditems)).toEqual({ total: 1, unread: 1 });
    expect(await counts(inbox)).toEqual({ total: 0, unread: 0 });
    expect(await counts(partners)).toEqual({ total: 1, unread: 1 });
  });

  it('leave it in the inbox if their folder was deleted', async () => {
    const { message } = await applied({ moveToFolder: 'AAAAAAAAAAAAAAAA', copyToFolder: 'BBBBBBBBBBBBBBBB' });
    expect(message?.folder).toBe(opened.mailbox.wellKnown.inbox);
  });

  it('return the recipients of the mail to send', async () => {
    const to = [{ name: 'X', address: 'x@y.example' }];
    expect(await applied({ forwardTo: to, redirectTo: to, forwardAsAttachmentTo: to })).toMatchObject({
      forwardTo: to,
      redirectTo: to,
      forwardAsAttachmentTo: to,
    });
  });
});
